import { assert, it } from "@effect/vitest"
import {
  Account,
  Address,
  Asset,
  AuthClawbackEnabledFlag,
  AuthRevocableFlag,
  Claimant,
  getLiquidityPoolId,
  Keypair,
  LiquidityPoolAsset,
  Memo,
  MuxedAccount,
  Operation,
  scValToNative,
  TransactionBuilder,
  xdr
} from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { heldAsset } from "../../../src/ledger/Asset.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { canonicalAsset } from "../../../src/sandbox/AssetName.ts"
import { Network, sandboxPassphrase } from "../../../src/sandbox/Network.ts"
import type { TransactionRecord } from "../../../src/sandbox/network/LedgerRecord.ts"
import { sourceAccount } from "../../../src/sandbox/network/UnsignedTransaction.ts"
import { DemoAccount } from "../../../src/sandbox/scenarios/DemoAccount.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"

const show = (event: xdr.ContractEvent) => {
  const { data, topics } = event.body.v0
  return [...topics.map((topic) => scValToNative(topic)), scValToNative(data)]
}

const metaOf = ({ meta }: TransactionRecord): xdr.TransactionMetaV4 => {
  assert(meta.type === "v4")
  return meta.v4
}

const shownOf = (record: TransactionRecord) => metaOf(record).operations.map(({ events }) => events.map(show))

it.effect("a payment moves, mints or burns; the fee comes first, from whoever pays it", () =>
  Effect.gen(function*() {
    const [holder, other, issuer] = [Keypair.random(), Keypair.random(), Keypair.random()]
    const token = new Asset("TOKEN", issuer.publicKey())
    yield* fund("100", holder, other, issuer)
    const trusted = yield* perform("trust", {
      as: holder,
      signedBy: [holder, other],
      operations: [Operation.changeTrust({ asset: token }), Operation.changeTrust({ asset: token, source: other.publicKey() })]
    })
    assert.deepStrictEqual(shownOf(trusted), [[], []])
    const name = `TOKEN:${issuer.publicKey()}`
    const [h, o] = [holder.publicKey(), other.publicKey()]
    const paid = yield* perform("pay", {
      as: issuer,
      signedBy: [issuer, holder],
      operations: [
        Operation.payment({ destination: h, asset: token, amount: "10" }),
        Operation.payment({ source: h, destination: o, asset: token, amount: "4" }),
        Operation.payment({ source: h, destination: issuer.publicKey(), asset: token, amount: "1" }),
        Operation.payment({ source: h, destination: o, asset: Asset.native(), amount: "0.0000001" })
      ]
    })
    assert.deepStrictEqual(shownOf(paid), [
      [["mint", h, name, 100_000_000n]],
      [["transfer", h, o, name, 40_000_000n]],
      [["burn", h, name, 10_000_000n]],
      [["transfer", h, o, "native", 1n]]
    ])
    const { events, operations } = metaOf(paid)
    assert.deepStrictEqual(
      events.map(({ event, stage }) => [stage.name, ...show(event)]),
      [["transactionEventStageBeforeAllTxs", "fee", issuer.publicKey(), 400n]]
    )
    const contracts = [...events.map(({ event }) => event), ...operations.flatMap(({ events }) => events)].map(({ contractId }) =>
      contractId === null ? "" : Address.contract(contractId.toBytes()).toString()
    )
    const [native, tokens] = [Asset.native().contractId(sandboxPassphrase), token.contractId(sandboxPassphrase)]
    assert.deepStrictEqual(contracts, [native, tokens, tokens, tokens, native])
  }).pipe(Effect.provide(Network.layer())))

it.effect("a movement tells whom it is meant for: by the multiplexed address, else by the memo", () =>
  Effect.gen(function*() {
    const [from, to] = [Keypair.random(), Keypair.random()]
    yield* fund("100", from, to)
    const muxed = new MuxedAccount(new Account(to.publicKey(), "0"), "77").accountId()
    const pay = (destination: string) => Operation.payment({ destination, asset: Asset.native(), amount: "1" })
    const data = (memo: Memo) =>
      Effect.map(
        perform("pay", {
          as: from,
          memo,
          operations: [
            pay(to.publicKey()),
            pay(muxed),
            Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants: [new Claimant(to.publicKey())] })
          ]
        }),
        (record) => shownOf(record).map(([event]) => event?.at(-1))
      )
    const [amount, bytes] = [10_000_000n, new Uint8Array(32).fill(5)]
    const muxedData = { amount, to_muxed_id: 77n }
    assert.deepStrictEqual(yield* data(Memo.none()), [amount, muxedData, amount])
    assert.deepStrictEqual(yield* data(Memo.id("9")), [{ amount, to_muxed_id: 9n }, muxedData, amount])
    assert.deepStrictEqual(yield* data(Memo.text("for you")), [{ amount, to_muxed_id: "for you" }, muxedData, amount])
    for (const memo of [Memo.hash(bytes), Memo.return(bytes)]) {
      const [plain] = yield* data(memo)
      assert.deepStrictEqual(Buffer.from(plain.to_muxed_id), Buffer.from(bytes))
    }
    const merged = yield* perform("merge", { as: from, memo: Memo.id("3"), operations: [Operation.accountMerge({ destination: muxed })] })
      .pipe(
        Effect.flip
      )
    assert.include(merged.reason, "is_sponsor")
    const bystander = Keypair.random()
    yield* fund("5", bystander)
    const gone = yield* perform("merge", {
      as: bystander,
      memo: Memo.id("3"),
      operations: [Operation.accountMerge({ destination: muxed })]
    })
    assert.deepStrictEqual(shownOf(gone), [
      [["transfer", bystander.publicKey(), to.publicKey(), "native", { amount: 49_999_900n, to_muxed_id: 77n }]]
    ])
  }).pipe(Effect.provide(Network.layer())))

it.effect("a failed transaction pays its fee and moves nothing", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const keys = Keypair.random()
    yield* fund("5", keys)
    const failed = yield* network.enact(keys.publicKey(), [
      Operation.payment({ destination: network.root.publicKey(), asset: Asset.native(), amount: "1" }),
      Operation.payment({ destination: network.root.publicKey(), asset: Asset.native(), amount: "100" })
    ])
    assert.isFalse(failed.successful)
    assert.deepStrictEqual(shownOf(failed), [])
    assert.deepStrictEqual(metaOf(failed).events.map(({ event }) => show(event)), [["fee", keys.publicKey(), 200n]])
  }).pipe(Effect.provide(Network.layer())))

it.effect("whoever bumps the fee pays it", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const [keys, payer] = [Keypair.random(), Keypair.random()]
    yield* fund("5", keys, payer)
    const inner = new TransactionBuilder(sourceAccount(yield* network.snapshot, keys.publicKey()), {
      fee: "100",
      networkPassphrase: network.passphrase,
      memo: Memo.id("4")
    })
      .addOperation(Operation.payment({ destination: payer.publicKey(), asset: Asset.native(), amount: "1" }))
      .setTimeout(0)
      .build()
    inner.sign(keys)
    const bump = TransactionBuilder.buildFeeBumpTransaction(payer, "300", inner, network.passphrase)
    bump.sign(payer)
    yield* network.submit(bump.toEnvelope())
    const [record] = (yield* network.snapshot).history.latest.transactions
    assert(record !== undefined)
    assert.deepStrictEqual(metaOf(record).events.map(({ event }) => show(event)), [["fee", payer.publicKey(), 200n]])
    assert.deepStrictEqual(shownOf(record), [
      [["transfer", keys.publicKey(), payer.publicKey(), "native", { amount: 10_000_000n, to_muxed_id: 4n }]]
    ])
  }).pipe(Effect.provide(Network.layer())))

/** Every account's holdings, named as in events. */
const holdings = (state: LedgerState): Map<string, bigint> => {
  const held = new Map<string, bigint>()
  const add = (owner: xdr.ScAddress, asset: string, amount: bigint) =>
    amount === 0n ? held : held.set(`${Address.fromScAddress(owner).toString()} ${asset}`, amount)
  for (const { data } of state.entries()) {
    switch (data.type) {
      case "account":
        add(xdr.ScAddress.scAddressTypeAccount(data.account.accountId), "native", data.account.balance)
        break
      case "trustline":
        if (data.trustLine.asset.type !== "assetTypePoolShare") {
          add(
            xdr.ScAddress.scAddressTypeAccount(data.trustLine.accountId),
            canonicalAsset(heldAsset(data.trustLine.asset)),
            data.trustLine.balance
          )
        }
        break
      case "claimableBalance": {
        const { amount, asset, balanceId } = data.claimableBalance
        add(xdr.ScAddress.scAddressTypeClaimableBalance(balanceId), canonicalAsset(asset), amount)
        break
      }
      case "liquidityPool": {
        const { liquidityPoolId, body: { constantProduct: { params, reserveA, reserveB } } } = data.liquidityPool
        add(xdr.ScAddress.scAddressTypeLiquidityPool(liquidityPoolId), canonicalAsset(params.assetA), reserveA)
        add(xdr.ScAddress.scAddressTypeLiquidityPool(liquidityPoolId), canonicalAsset(params.assetB), reserveB)
        break
      }
      default:
        break
    }
  }
  return held
}

/** Replays events over the earlier holdings. */
const replay = (held: Map<string, bigint>, events: ReadonlyArray<xdr.ContractEvent>): Map<string, bigint> => {
  const after = new Map(held)
  const move = (owner: string, asset: string, amount: bigint) => {
    const balance = (after.get(`${owner} ${asset}`) ?? 0n) + amount
    if (balance === 0n) after.delete(`${owner} ${asset}`)
    else after.set(`${owner} ${asset}`, balance)
  }
  for (const event of events) {
    const [name, first, second, third, fourth] = show(event)
    const amountIn = (data: bigint | { readonly amount: bigint }): bigint => (typeof data === "bigint" ? data : data.amount)
    switch (name) {
      case "fee":
        move(first, "native", -amountIn(second))
        break
      case "transfer":
        move(first, third, -amountIn(fourth))
        move(second, third, amountIn(fourth))
        break
      case "mint":
        move(first, second, amountIn(third))
        break
      case "burn":
      case "clawback":
        move(first, second, -amountIn(third))
        break
      default:
        assert.strictEqual(name, "set_authorized")
    }
  }
  return after
}

it.effect("events account for every unit anyone holds, ledger by ledger", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const genesis = (yield* network.snapshot).state
    const { assets, destination, issuer, maker, poolId, source } = yield* DemoAccount
    const regulator = Keypair.random()
    yield* fund("1000", regulator)
    const regulated = new Asset("REG", regulator.publicKey())
    const shares = new LiquidityPoolAsset(Asset.native(), regulated, 30)
    const sharesId = Buffer.from(getLiquidityPoolId("constant_product", shares.getLiquidityPoolParameters())).toString("hex")
    const [m, s] = [maker.publicKey(), source.publicKey()]
    yield* perform("regulate", {
      as: regulator,
      signedBy: [regulator, maker],
      operations: [
        Operation.setOptions({ setFlags: AuthRevocableFlag }),
        Operation.setOptions({ setFlags: AuthClawbackEnabledFlag }),
        Operation.changeTrust({ asset: regulated, source: m }),
        Operation.changeTrust({ asset: shares, source: m }),
        Operation.changeTrust({ asset: assets.booked }),
        Operation.changeTrust({ asset: shares }),
        Operation.payment({ destination: m, asset: regulated, amount: "500" }),
        Operation.liquidityPoolDeposit({
          source: m,
          liquidityPoolId: sharesId,
          maxAmountA: "10",
          maxAmountB: "20",
          minPrice: "0.1",
          maxPrice: "10"
        }),
        Operation.liquidityPoolDeposit({ liquidityPoolId: sharesId, maxAmountA: "5", maxAmountB: "10", minPrice: "0.1", maxPrice: "10" }),
        Operation.clawback({ asset: regulated, from: m, amount: "3" }),
        Operation.createClaimableBalance({ source: m, asset: regulated, amount: "7", claimants: [new Claimant(regulator.publicKey())] }),
        Operation.createClaimableBalance({ asset: regulated, amount: "8", claimants: [new Claimant(m)] }),
        Operation.createClaimableBalance({ source: m, asset: Asset.native(), amount: "6", claimants: [new Claimant(s)] })
      ]
    })
    const balanceOf = (amount: bigint) =>
      Effect.map(network.snapshot, ({ state }) => {
        for (const { data } of state.entries()) {
          if (data.type === "claimableBalance" && data.claimableBalance.amount === amount) {
            return data.claimableBalance.balanceId.toXdr("hex")
          }
        }
        return assert.fail("no such balance")
      })
    const [burnt, clawed, claimed] = [yield* balanceOf(70_000_000n), yield* balanceOf(80_000_000n), yield* balanceOf(60_000_000n)]
    yield* perform("settle", {
      as: regulator,
      signedBy: [regulator, source],
      operations: [
        Operation.claimClaimableBalance({ balanceId: burnt }),
        Operation.clawbackClaimableBalance({ balanceId: clawed }),
        Operation.claimClaimableBalance({ balanceId: claimed, source: s }),
        Operation.liquidityPoolWithdraw({ liquidityPoolId: sharesId, amount: "1", minAmountA: "0", minAmountB: "0" }),
        Operation.setTrustLineFlags({ trustor: m, asset: regulated, flags: { authorized: false } })
      ]
    })
    yield* perform("trade along the book and the pool", {
      as: source,
      operations: [
        Operation.pathPaymentStrictSend({
          sendAsset: assets.booked,
          sendAmount: "100",
          destination: issuer.publicKey(),
          destAsset: assets.pooled,
          destMin: "0.0000001",
          path: [Asset.native()]
        }),
        Operation.pathPaymentStrictReceive({
          sendAsset: assets.pooled,
          sendMax: "50",
          destination: destination.publicKey(),
          destAsset: Asset.native(),
          destAmount: "11",
          path: []
        }),
        Operation.manageSellOffer({ selling: assets.booked, buying: Asset.native(), amount: "30", price: "2" }),
        Operation.manageBuyOffer({ selling: Asset.native(), buying: assets.booked, buyAmount: "3", price: "4" }),
        Operation.createPassiveSellOffer({ selling: assets.booked, buying: Asset.native(), amount: "1", price: "1" })
      ]
    })
    yield* perform("the maker leaves the pool", {
      as: maker,
      operations: [Operation.liquidityPoolWithdraw({ liquidityPoolId: poolId, amount: "100", minAmountA: "1", minAmountB: "1" })]
    })
    yield* perform("merge away", { as: destination, operations: [Operation.accountMerge({ destination: m })] })

    const { history, state } = yield* network.snapshot
    let held = holdings(genesis)
    const names = new Set<string>()
    for (const { transactions } of history.from(2)) {
      const metas = transactions.map(metaOf)
      const events = [
        ...metas.flatMap(({ events }) => events.map(({ event }) => event)),
        ...metas.flatMap(({ operations }) => operations.flatMap(({ events }) => events))
      ]
      for (const event of events) names.add(show(event)[0])
      held = replay(held, events)
    }
    const sorted = (map: Map<string, bigint>) => [...map].toSorted(([left], [right]) => (left < right ? -1 : 1))
    assert.deepStrictEqual(sorted(held), sorted(holdings(state)))
    assert.deepStrictEqual([...names].toSorted(), ["burn", "clawback", "fee", "mint", "set_authorized", "transfer"])
  }).pipe(Effect.provide(Network.layer())))
