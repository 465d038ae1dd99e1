import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect, Layer, Option, TestClock } from "effect"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { MediatorSweep, sweepAccount, sweepAccountSetting, SweepRefused } from "../../src/close/sweep/MediatorSweep.ts"
import { ContractRpcLagging, MediatorNotConfigured, NetworkFeeAboveLimit } from "../../src/domain/failure/Upstream.ts"
import { Latency } from "../../src/sandbox/faults/Connection.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { addressOf, timed } from "../account/support/World.ts"
import { signerOf, sweeper } from "./support/SweptMediator.ts"
import { enacted, mediated, watchedLedger } from "./support/WatchedLedger.ts"

/** A mediator that is swept by hand, with these settings. */
const swept = Effect.fnUntraced(function*(settings: Readonly<Record<string, string>> = {}, signer?: Layer.Layer<MediatorSigner>) {
  const scene = yield* mediated
  const { mediator, registry } = scene
  const services = yield* Layer.build(sweeper(registry, signer ?? signerOf(mediator), settings))
  const sweep = (to: Keypair, tolerated?: bigint) =>
    Effect.provide(Effect.flatMap(MediatorSweep, (one) => one.sweep(addressOf(to), tolerated)), services)
  return { ...scene, address: addressOf(mediator), sweep }
})

/** Why nothing was moved. */
const refused = (reason: string) => new SweepRefused({ reason })

describe("the setting for where a mediator's surplus goes", () => {
  const reading = (settings: Readonly<Record<string, string>>) =>
    Effect.withConfigProvider(sweepAccount("testnet"), ConfigProvider.fromMap(new Map(Object.entries(settings))))
  const address = Keypair.random().publicKey()

  it("has a name for each network", () => {
    assert.deepStrictEqual((["mainnet", "testnet"] as const).map(sweepAccountSetting), [
      "MAINNET_MEDIATOR_SWEEP_ACCOUNT",
      "TESTNET_MEDIATOR_SWEEP_ACCOUNT"
    ])
  })

  it.effect("is an account of that network alone, and none where it is unset or empty", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* reading({ TESTNET_MEDIATOR_SWEEP_ACCOUNT: address }), Option.some(address))
      for (const settings of [{}, { TESTNET_MEDIATOR_SWEEP_ACCOUNT: "" }, { MAINNET_MEDIATOR_SWEEP_ACCOUNT: address }]) {
        assert.deepStrictEqual(yield* reading(settings), Option.none())
      }
    }))

  it.effect("is refused where it is anything else, with its name", () =>
    Effect.gen(function*() {
      for (const text of ["GABC", address.toLowerCase()]) {
        assert.strictEqual(
          String(yield* Effect.flip(reading({ TESTNET_MEDIATOR_SWEEP_ACCOUNT: text }))),
          "(Invalid data at TESTNET_MEDIATOR_SWEEP_ACCOUNT: \"must be an account address (G...)\")"
        )
      }
    }))
})

describe("what a sweep moves", () => {
  it.scoped("is all beyond the reserve and the fee, by one payment that is valid for five minutes", () =>
    Effect.gen(function*() {
      const { address, gift, operator, sweep } = yield* swept()
      yield* gift("7.25")
      const { outcome, snapshot } = yield* Network
      const { header } = (yield* snapshot).state
      const moved = yield* sweep(operator)
      const { hash } = "result" in moved ? moved.result : assert.fail("nothing was moved")
      const amount = 7_2500000n - 100n
      assert.deepStrictEqual(moved, {
        _tag: "Moved",
        mediator: address,
        amount,
        fee: 100n,
        result: { status: "success", hash, ledger: header.ledgerSeq + 1 }
      })
      const { facts } = Option.getOrThrow(yield* outcome(hash))
      const { cond, fee, memo, operations } = facts.transaction
      assert.deepStrictEqual(operations, [
        Operation.payment({ source: address, destination: operator.publicKey(), asset: Asset.native(), amount: "7.24999" })
      ])
      assert.deepStrictEqual([fee, memo.type], [100, "memoNone"])
      const { ledgerBounds, timeBounds } = cond.type === "precondV2" ? cond.v2 : assert.fail("no bounds")
      // Ledgers whose pace was not measured count as one a second, and half as many again.
      assert.deepStrictEqual([timeBounds?.maxTime, ledgerBounds?.maxLedger], [header.closeTime + 300n, header.ledgerSeq + 450])
    }).pipe(Effect.provide(watchedLedger())))

  it.scoped("is nothing where no more than the fee is there", () =>
    Effect.gen(function*() {
      const { address, gift, operator, sweep } = yield* swept()
      for (const float of [0n, 100n]) {
        assert.deepStrictEqual(yield* sweep(operator), { _tag: "Nothing", mediator: address, float })
        yield* gift(float === 0n ? "0.00001" : "0.0000001")
      }
      assert.deepInclude(yield* sweep(operator), { _tag: "Moved", amount: 1n, fee: 100n })
    }).pipe(Effect.provide(watchedLedger())))

  it.scoped("is nothing where no more is there than what is tolerated, and else all of it", () =>
    Effect.gen(function*() {
      const { address, gift, operator, sweep } = yield* swept()
      yield* gift("0.5")
      assert.deepStrictEqual(yield* sweep(operator, 5_000_000n), { _tag: "Nothing", mediator: address, float: 5_000_000n })
      assert.deepInclude(yield* sweep(operator, 4_999_999n), { _tag: "Moved", amount: 5_000_000n - 100n })
    }).pipe(Effect.provide(watchedLedger())))
})

describe("a sweep is refused", () => {
  it.scoped("for an account to which nothing can be moved, with the reason", () =>
    Effect.gen(function*() {
      const { exchange, gift, mediator, operator, stranger, sweep, unchecked } = yield* swept()
      const locked = Keypair.random()
      yield* enacted(stranger, Operation.createAccount({ destination: locked.publicKey(), startingBalance: "5" }))
      yield* enacted(locked, Operation.setOptions({ masterWeight: 0 }))
      yield* enacted(operator, Operation.manageData({ name: "config.memo_required", value: "1" }))
      yield* gift("1")
      const reasons: ReadonlyArray<readonly [to: Keypair, reason: string]> = [
        [mediator, "The sweep account is the mediator itself."],
        [Keypair.random(), "The sweep account does not exist on this network."],
        [exchange, "The sweep account is an exchange address, which credits no one without a memo."],
        [unchecked, "Public lists name the sweep account as an address of Another exchange. Choose another one."],
        [operator, "The sweep account requires a memo, and a sweep carries none."],
        [locked, "The sweep account is locked: no signatures can ever move what it receives."]
      ]
      for (const [to, reason] of reasons) {
        const failure = yield* Effect.flip(sweep(to))
        assert.deepStrictEqual(failure, refused(reason))
        assert.strictEqual(failure.message, reason)
      }
      assert.deepInclude(yield* sweep(stranger), { _tag: "Moved" })
    }).pipe(Effect.provide(watchedLedger())))

  it.scoped("for such an account even where nothing is there, but not where that much is tolerated", () =>
    Effect.gen(function*() {
      const { address, sweep } = yield* swept()
      const nobody = Keypair.random()
      assert.deepStrictEqual(yield* Effect.flip(sweep(nobody)), refused("The sweep account does not exist on this network."))
      assert.deepStrictEqual(yield* sweep(nobody, 1n), { _tag: "Nothing", mediator: address, float: 0n })
    }).pipe(Effect.provide(watchedLedger())))

  it.scoped("where there is no mediator, or none on this network", () =>
    Effect.gen(function*() {
      const none = yield* swept({}, MediatorSigner.layerNone)
      assert.deepStrictEqual(yield* Effect.flip(none.sweep(none.operator)), new MediatorNotConfigured())
      const unfunded = yield* swept({}, signerOf(Keypair.random()))
      assert.deepStrictEqual(
        yield* Effect.flip(unfunded.sweep(unfunded.operator)),
        refused("The mediator's account does not exist on this network.")
      )
    }).pipe(Effect.provide(watchedLedger())))

  it.scoped("while the header of the ledger is too old, or the network charges more than the setting", () =>
    Effect.gen(function*() {
      const { gift, operator, sweep } = yield* swept({ TESTNET_MAX_LEDGER_AGE_SECONDS: "60", MAX_FEE_STROOPS_PER_OPERATION: "100" })
      yield* gift("1")
      const { amend, closeLedger } = yield* Network
      yield* amend((state) => state.at({ baseFee: 101 }))
      const tooDear = new NetworkFeeAboveLimit({ feeStroops: "101", limitStroops: "100" })
      assert.deepStrictEqual(yield* Effect.flip(sweep(operator)), tooDear)
      yield* TestClock.adjust("61 seconds")
      assert.deepStrictEqual(yield* Effect.flip(sweep(operator)), new ContractRpcLagging({ behind: null, ageSeconds: 61 }))
      yield* closeLedger()
      assert.deepStrictEqual(yield* Effect.flip(sweep(operator)), tooDear)
      yield* amend((state) => state.at({ baseFee: 100 }))
      assert.deepInclude(yield* sweep(operator), { _tag: "Moved" })
    }).pipe(Effect.provide(watchedLedger())))
})

describe("the time of a sweep", () => {
  it.scoped("is that of one question after the mediator's account was read", () =>
    Effect.gen(function*() {
      const { sweep } = yield* swept()
      const { faults } = yield* Network
      for (const rpc of ["getLedgerEntries", "getFeeStats"] as const) yield* faults.set({ fault: new Latency({ millis: 1_000 }), rpc })
      const { elapsed } = yield* timed(Effect.flip(sweep(Keypair.random())))
      assert.strictEqual(elapsed, 2_000)
    }).pipe(Effect.provide(watchedLedger())))
})
