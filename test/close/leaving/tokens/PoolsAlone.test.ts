import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { liveCode } from "../../../../src/sandbox/contracts/LiveCode.ts"
import type { Network } from "../../../../src/sandbox/Network.ts"
import { amm1ContractsAt } from "../../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Market } from "../../../../src/sandbox/scenarios/Amm1Market.ts"
import { fund, perform, type ScenarioFailed } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { stakedPoolsContracts } from "../../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "../../../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { upgraded } from "../../../support/scenarios/Upgrade.ts"
import { firstOf } from "../../../support/Thorough.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { plan, refusal } from "../../support/Client.ts"
import { heldOf, lumensOf } from "../../support/LedgerView.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { closed, step } from "./support/Holder.ts"

const amountIn = (text: string | undefined): bigint => BigInt((text ?? "0").replace(".", ""))

interface Issuing {
  readonly issuer: Keypair
  readonly native: Asset
}

type Market = Effect.Effect<Issuing, ScenarioFailed, Network>

/** An account with 50 of an asset that only pools buy: no offer pays lumens for it. */
const Holder = (market: Market, code: string) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { issuer, native } = yield* on(market)
    const asset = new Asset(code, issuer.publicKey())
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* on(fund("100", source, destination))
    yield* on(perform("it trusts", { as: source, operations: [Operation.changeTrust({ asset })] }))
    // No offer buys it at the pools' price any more.
    yield* on(perform("it is paid, and the book is emptied", {
      as: issuer,
      operations: [
        Operation.payment({ destination: source.publicKey(), asset, amount: "50" }),
        Operation.manageSellOffer({ selling: asset, buying: native, amount: "6000", price: "9" })
      ]
    }))
    yield* laterLedger
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    const asked = Effect.map(plan(request), (told) => pointOf(told, `asset:${code}-${issuer.publicKey()}`))
    return { asked, asset, destination, request, source }
  })

const { concentrated, constantProduct, stable } = amm1ContractsAt
const { five } = stakedPoolsContracts

const unknownCode = randomBytes(32).toString("hex")

/** Hash of code whose withdrawal takes shares of an earlier token of the pool. */
const OLD_SHARES_POOL = "13b158655e40396957537bf1c528c6542b315930c1c9e0df640f57293c8af2ca"

const toLiveProduct = Effect.zipRight(
  upgraded(constantProduct, liveCode.constantProductPool),
  // The concentrated pool beside it takes no part of the sale then.
  upgraded(concentrated, liveCode.concentratedPool)
)

const SOLD = [
  ["amm_1", "as published", Amm1Market, "EURC"],
  ["amm_1", "of constant product with live code", Effect.tap(Amm1Market, () => toLiveProduct), "EURC"],
  ["amm_1", "that are stable with live code", Effect.tap(Amm1Market, () => upgraded(stable, liveCode.stablePool)), "EURC"],
  ["amm_3", "as published", StakedPoolsMarket, "USDC"],
  ["amm_3", "with live code", Effect.tap(StakedPoolsMarket, () => upgraded(five.pool, liveCode.sixArgumentPool)), "USDC"]
] as const

for (const [protocol, what, market, code] of firstOf(2, SOLD)) {
  layer(tokensService([protocol]), { excludeTestServices: true })(`an asset that only pools of ${protocol} ${what} buy`, (it) => {
    it.effect("is sold there for just what was foreseen", () =>
      Effect.gen(function*() {
        const { asked, asset, destination, request, source } = yield* Holder(market, code)
        const point = yield* asked
        const pools = point.options.find(({ id }) => id === "convert_through_contracts")
        assert.deepStrictEqual([pools?.quote?.source, pools?.needs], [protocol, []], JSON.stringify(point.options))
        const own = acknowledges(destination.publicKey())
        // An answer for assets without buyers burns none of it, though it names it.
        const grouped = { id: "assets:unsellable", choice: "return_to_issuer", params: { ids: [point.id], maxCount: 1 } }
        const { code: refused, details } = yield* refusal("next", { ...request, decisions: [own, grouped] })
        assert.deepStrictEqual([refused, details["missing"]], ["needs_decisions", [point.id]])
        const decisions = [own, echo(point, "convert_through_contracts")]
        const before = [yield* lumensOf(source), yield* lumensOf(destination)] as const
        const sale = yield* step({ ...request, decisions }, source)
        const [call] = sale.transactions
        const brought = (yield* lumensOf(source)) - before[0]
        // The price equals the quote to the unit; the cost is at most the fee.
        const quoted = amountIn(pools?.quote?.receive)
        assert.isTrue(brought <= quoted && brought + BigInt(call?.intent.feeStroops ?? "0") >= quoted, `${brought} of ${quoted}`)
        assert.deepStrictEqual([call?.covers, call?.reason], [["HANDLE_TOKENS"], "token_exit"])
        assert.strictEqual(yield* heldOf(source, asset), 0n)
        assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["REMOVE_TRUSTLINES+MERGE"])
        assert.isTrue((yield* lumensOf(destination)) - before[1] > quoted + 99_0000000n)
      }))
  })
}

const toUncheckedSales = Effect.zipRight(upgraded(concentrated, liveCode.concentratedPool), upgraded(constantProduct, unknownCode))

const UNSOLD = [
  ["amm_1", "that are concentrated with early code, whose sales were not checked", Amm1Market, toUncheckedSales],
  ["amm_3", "that pay for shares of a token they had before", StakedPoolsMarket, upgraded(five.pool, OLD_SHARES_POOL)]
] as const

for (const [protocol, what, market, upgrade] of firstOf(1, UNSOLD)) {
  layer(tokensService([protocol]), { excludeTestServices: true })(`an asset that only pools of ${protocol} ${what} buy`, (it) => {
    it.effect("is not sold there", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { asked } = yield* Holder(market, "USDC")
        const optionsNow = Effect.map(asked, ({ options }) => options.map(({ id }) => id))
        assert.include(yield* optionsNow, "convert_through_contracts")
        yield* on(upgrade)
        yield* laterLedger
        assert.notInclude(yield* optionsNow, "convert_through_contracts")
      }))
  })
}
