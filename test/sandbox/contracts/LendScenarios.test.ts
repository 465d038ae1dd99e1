import { assert, it } from "@effect/vitest"
import { Asset, Contract, type Keypair, Operation, rpc, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { addressOf, addressVal, asI128, asVec, field, i128, strkeyOf, struct, u32, vec } from "../../../src/ledger/soroban/Values.ts"
import { asPositions } from "../../../src/sandbox/contracts/lend1/Positions.ts"
import { RequestType } from "../../../src/sandbox/contracts/lend1/Request.ts"
import type { Network } from "../../../src/sandbox/Network.ts"
import type { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform, type ScenarioFailed } from "../../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { LendingBackstop } from "../../support/scenarios/LendingBackstop.ts"
import { LendingDebt } from "../../support/scenarios/LendingDebt.ts"
import { LendingDebtToBuy } from "../../support/scenarios/LendingDebtToBuy.ts"
import { LendingRewards } from "../../support/scenarios/LendingRewards.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { startWithClients } from "../Clients.ts"

type Scene = Effect.Effect.Success<typeof LendingNewcomer>

const daySeconds = 86_400
/** More than any account has: the pool cuts such a withdrawal to the position. */
const everything = (1n << 63n) - 1n

const account = (keys: Keypair): xdr.ScVal => addressVal(addressOf(keys.publicKey()))

/** A scenario on a sandbox of its own, with the steps to close its account. */
const begin = (scenario: Effect.Effect<Scene, ScenarioFailed, Network>) =>
  Effect.gen(function*() {
    const { contractRpc, network, on, passphrase } = yield* startWithClients()
    const scene = yield* on(scenario)
    const { source } = scene
    const own = account(source)

    /** Simulates in a ledger after the last change, as the servers of real networks do. */
    const simulate = Effect.fnUntraced(function*(contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) {
      yield* network.closeLedger({ advanceSeconds: 5 })
      const from = yield* Effect.promise(() => contractRpc.getAccount(source.publicKey()))
      const transaction = new TransactionBuilder(from, { fee: "100", networkPassphrase: passphrase })
        .addOperation(new Contract(strkeyOf(contract)).call(fn, ...args))
        .setTimeout(0)
        .build()
      return { transaction, simulated: yield* Effect.promise(() => contractRpc.simulateTransaction(transaction)) }
    })

    const call = Effect.fnUntraced(function*(contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) {
      const { simulated, transaction } = yield* simulate(contract, fn, ...args)
      assert(rpc.Api.isSimulationSuccess(simulated), JSON.stringify(simulated))
      const prepared = rpc.assembleTransaction(transaction, simulated).build()
      prepared.sign(source)
      const { hash } = yield* Effect.promise(() => contractRpc.sendTransaction(prepared))
      const outcome = yield* Effect.promise(() => contractRpc.getTransaction(hash))
      assert(outcome.status === rpc.Api.GetTransactionStatus.SUCCESS, JSON.stringify(outcome))
      return outcome.returnValue ?? assert.fail("no answer")
    })

    const refusal = Effect.fnUntraced(function*(contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) {
      const { simulated } = yield* simulate(contract, fn, ...args)
      assert(rpc.Api.isSimulationError(simulated), `${fn} is not refused`)
      return /Error\([^)]*\)/.exec(simulated.error)?.[0]
    })

    const requests = (...list: ReadonlyArray<readonly [kind: keyof typeof RequestType, asset: Asset, amount: bigint]>) =>
      [
        own,
        own,
        own,
        vec(...list.map(([kind, asset, amount]) =>
          struct({
            address: addressVal(addressOf(asset.contractId(passphrase))),
            amount: i128(amount),
            request_type: u32(RequestType[kind])
          })
        ))
      ] as const

    /** Base units of an asset in the wallet. */
    const held = (asset: Asset) =>
      Effect.gen(function*() {
        const value = yield* Effect.map(simulate(addressOf(asset.contractId(passphrase)), "balance", own), ({ simulated }) => simulated)
        assert(rpc.Api.isSimulationSuccess(value), JSON.stringify(value))
        return asI128(value.result?.retval ?? assert.fail("no answer"))
      })

    const trust = (asset: Asset) => on(perform("trust", { as: source, operations: [Operation.changeTrust({ asset })] }))

    /** Sells the rest of some assets, removes their trustlines and merges. */
    const close = Effect.fnUntraced(function*(...assets: ReadonlyArray<Asset>) {
      for (const asset of assets) {
        const left = yield* held(asset)
        const sale = Operation.pathPaymentStrictSend({
          sendAsset: asset,
          sendAmount: decimal(left),
          destination: source.publicKey(),
          destAsset: Asset.native(),
          destMin: "0.0000001"
        })
        yield* on(perform(`sell ${asset.getCode()}`, {
          as: source,
          operations: [...(left > 0n ? [sale] : []), Operation.changeTrust({ asset, limit: "0" })]
        }))
      }
      yield* on(perform("merge", { as: source, operations: [Operation.accountMerge({ destination: scene.destination.publicKey() })] }))
      const { state } = yield* network.snapshot
      assert.isUndefined(state.get(accountKey(source.publicKey())))
      return yield* Effect.promise(() => contractRpc.getAccountEntry(scene.destination.publicKey())).pipe(
        Effect.map(({ balance }) => balance)
      )
    })

    return { ...scene, network, on, own, call, refusal, requests, held, trust, close }
  })

const decimal = (amount: bigint): string => `${amount / lumen}.${String(amount % lumen).padStart(7, "0")}`

const assertEmpty = (answer: xdr.ScVal): void => {
  const { collateral, liabilities, supply } = asPositions(answer)
  assert.deepStrictEqual([collateral.size, liabilities.size, supply.size], [0, 0, 0])
}

it.scopedLive("an account that only lends takes everything out and closes", () =>
  Effect.gen(function*() {
    const { call, close, held, network, pool, requests, usdc } = yield* begin(LendingSupply)
    yield* network.closeLedger({ advanceSeconds: 30 * daySeconds })
    assertEmpty(yield* call(pool, "submit", ...requests(["withdraw", usdc, everything])))
    assert.isAbove(Number(yield* held(usdc)), Number(300n * lumen), "a month's interest")
    assert.isAbove(Number(yield* close(usdc)), Number(10_000n * lumen))
  }))

it.scopedLive("an account in debt repays with what it has and takes its collateral back in one call", () =>
  Effect.gen(function*() {
    const { call, close, eurc, held, native, network, pool, refusal, requests } = yield* begin(LendingDebt)
    yield* network.closeLedger({ advanceSeconds: 30 * daySeconds })
    assert.strictEqual(yield* refusal(pool, "submit", ...requests(["withdrawCollateral", native, everything])), "Error(Contract, #1205)")
    const owed = 60n * lumen
    assertEmpty(yield* call(pool, "submit", ...requests(["repay", eurc, owed], ["withdrawCollateral", native, everything])))
    const left = yield* held(eurc)
    assert.isTrue(left < 10n * lumen && left > 9n * lumen, `what was too much came back: ${left}`)
    assert.isAbove(Number(yield* close(eurc)), Number(9_990n * lumen))
  }))

it.scopedLive("an account that spent what it owes buys it, repays and closes", () =>
  Effect.gen(function*() {
    const { call, close, eurc, native, on, pool, refusal, requests, source } = yield* begin(LendingDebtToBuy)
    const debt = 51n * lumen
    const exit = requests(["repay", eurc, debt], ["withdrawCollateral", native, everything])
    assert.strictEqual(yield* refusal(pool, "submit", ...exit), "Error(Contract, #10)")
    yield* on(perform("buy EURC", {
      as: source,
      operations: [Operation.pathPaymentStrictReceive({
        sendAsset: native,
        sendMax: "1000",
        destination: source.publicKey(),
        destAsset: eurc,
        destAmount: decimal(debt)
      })]
    }))
    assertEmpty(yield* call(pool, "submit", ...exit))
    assert.isAbove(Number(yield* close(eurc)), Number(9_000n * lumen))
  }))

it.scopedLive("rewards are claimed before the position is left, and need a line", () =>
  Effect.gen(function*() {
    const { blnd, call, close, eurc, held, native, own, pool, refusal, requests, trust } = yield* begin(LendingRewards)
    const ids = vec(u32(1), u32(4))
    assert.strictEqual(yield* refusal(pool, "claim", own, ids, own), "Error(Contract, #13)")
    yield* trust(blnd)
    const claimed = asI128(yield* call(pool, "claim", own, ids, own))
    assert.isAbove(Number(claimed), 0)
    assert.strictEqual(yield* held(blnd), claimed)
    assertEmpty(yield* call(pool, "submit", ...requests(["repay", eurc, 55n * lumen], ["withdrawCollateral", native, everything])))
    const dust = asI128(yield* call(pool, "claim", own, ids, own))
    assert.isTrue(dust > 0n && dust < claimed, "a little has come in since")
    yield* close(blnd, eurc)
  }))

it.scopedLive("a share of the backstop waits 17 days in the queue and comes back as its assets", () =>
  Effect.gen(function*() {
    const { backstop, blnd, call, close, comet, network, own, pool, refusal, trust, usdc } = yield* begin(LendingBackstop)
    const pools = vec(addressVal(pool))
    const joined = asI128(yield* call(backstop, "claim", own, pools, i128(0n)))
    assert.isAbove(Number(joined), 0, "BLND earned has become shares")
    const balance = yield* call(backstop, "user_balance", addressVal(pool), own)
    const shares = asI128(field(balance, "shares"))
    assert.strictEqual(shares, 100n * lumen + joined)
    const queued = yield* call(backstop, "queue_withdrawal", own, addressVal(pool), i128(shares))
    assert.strictEqual(asI128(field(queued, "amount")), shares)
    const withdraw = [own, addressVal(pool), i128(shares)] as const
    yield* network.closeLedger({ advanceSeconds: 16 * daySeconds })
    assert.strictEqual(yield* refusal(backstop, "withdraw", ...withdraw), "Error(Contract, #1001)")
    yield* network.closeLedger({ advanceSeconds: daySeconds })
    const tokens = asI128(yield* call(backstop, "withdraw", ...withdraw))
    const held = asI128(yield* call(comet, "balance", own))
    assert.strictEqual(held, 20n * lumen + tokens)
    assert.lengthOf(asVec(field(yield* call(backstop, "user_balance", addressVal(pool), own), "q4w")), 0)
    const exit = [i128(held), vec(i128(1n), i128(1n)), own] as const
    assert.strictEqual(yield* refusal(comet, "exit_pool", ...exit), "Error(Contract, #13)")
    yield* trust(blnd)
    yield* trust(usdc)
    yield* call(comet, "exit_pool", ...exit)
    yield* close(blnd, usdc)
  }))
