import { assert } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../../../src/domain/Amount.ts"
import { lumen } from "../../../../src/ledger/Asset.ts"
import { addressOf, strkeyOf, u128, u32 } from "../../../../src/ledger/soroban/Values.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { poolTokensOf } from "../../../../src/sandbox/scenarios/Amm1Entries.ts"
import { Amm1Market } from "../../../../src/sandbox/scenarios/Amm1Market.ts"
import { depositInto, rangesOf } from "../../../../src/sandbox/scenarios/Amm1Positions.ts"
import { accountVal, callContract } from "../../../../src/sandbox/scenarios/CallContract.ts"
import { PairsMarketOf, transferToken } from "../../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { plan, refusal } from "../../support/Client.ts"
import { heldOf, lumensOf } from "../../support/LedgerView.ts"
import { Service } from "../../support/Service.ts"
import { listedIssuer, tokensService } from "./support/DeclaredTokens.ts"
import { closed, step } from "./support/Holder.ts"

/** The token list names USDC, through which assets and tokens are sold. */
const { issuer: issued, listed } = listedIssuer("USDC")

const amountIn = (text: string | undefined): bigint => BigInt((text ?? "0").replace(".", ""))

layer(tokensService(["amm_2"], {}, listed), { excludeTestServices: true })("an asset for which pools pay more than its books", (it) => {
  it.effect("is sold through contracts where its owner says so, what offers hold of it too, and the line goes afterwards", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { eurc, issuer, native, usdc } = yield* on(PairsMarketOf(issued))
      const [source, destination] = [Keypair.random(), Keypair.random()]
      yield* on(fund("100", source, destination))
      yield* on(perform("it trusts", { as: source, operations: [eurc, usdc].map((asset) => Operation.changeTrust({ asset })) }))
      yield* on(perform("it is paid", {
        as: issuer,
        operations: [Operation.payment({ destination: source.publicKey(), asset: eurc, amount: "100" })]
      }))
      yield* on(perform("it offers some", {
        as: source,
        operations: [Operation.manageSellOffer({ selling: eurc, buying: native, amount: "30", price: "1000" })]
      }))
      yield* laterLedger
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const id = `asset:EURC-${eurc.getIssuer()}`
      const asked = yield* plan(request)
      const point = pointOf(asked, id)
      const [book, pools] = ["convert_to_native", "convert_through_contracts"].map((choice) =>
        point.options.find((option) => option.id === choice)
      )
      assert.strictEqual(pools?.quote?.source, "amm_2")
      assert.deepStrictEqual(pools?.needs, [])
      assert.isTrue(amountIn(pools?.quote?.receive) > amountIn(book?.quote?.receive), JSON.stringify(point.options))
      const own = acknowledges(destination.publicKey())
      const decisions = [own, echo(point, "convert_through_contracts")]
      const dear = yield* refusal("next", {
        ...request,
        decisions: [own, echo(point, "convert_through_contracts", { minReceive: "90000" })]
      })
      assert.deepStrictEqual([dear.code, dear.details["decisionId"]], ["quote_drifted", id])
      const before = yield* lumensOf(destination)
      const { covered, plan: ready } = yield* closed({ ...request, decisions }, source)
      assert.deepStrictEqual(ready.unusedDecisions, [])
      assert.deepStrictEqual(covered.length, 3, covered.join(", "))
      assert.include(covered[0], "CANCEL_OFFERS")
      assert.strictEqual(covered[1], "HANDLE_TOKENS")
      assert.include(covered[2], "MERGE")
      assert.deepStrictEqual(ready.transactions.map(({ reason }) => reason ?? null), ["frees_lumens", "token_exit", null])
      assert.isNull(yield* heldOf(source, eurc))
      const received = (yield* lumensOf(destination)) - before
      assert.isTrue(received > amountIn(pools?.params?.minReceive) + 99_0000000n, `${received}`)
    }))
})

layer(tokensService(["amm_2"], {}, listed), { excludeTestServices: true })("what is sold through the same pool", (it) => {
  it.effect("is quoted one on what the other leaves, and pays that", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { eurc, issuer, provider, tokens: { plain } } = yield* on(PairsMarketOf(issued))
      const [source, destination] = [Keypair.random(), Keypair.random()]
      yield* on(fund("100", source, destination))
      yield* on(perform("it trusts", { as: source, operations: [Operation.changeTrust({ asset: eurc })] }))
      const payment = Operation.payment({ destination: source.publicKey(), asset: eurc, amount: "30" })
      yield* on(perform("it is paid", { as: issuer, operations: [payment] }))
      const [token, asset] = [`token:${strkeyOf(plain)}`, `asset:EURC-${eurc.getIssuer()}`]
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const quoteOf = (point: ReturnType<typeof pointOf>, choice: string) =>
        amountIn(point.options.find(({ id }) => id === choice)?.quote?.receive)
      yield* laterLedger
      const alone = quoteOf(pointOf(yield* plan(request), asset), "convert_through_contracts")
      yield* on(transferToken("plain tokens are given", provider, { token: plain, amount: 100_000_000n }, addressOf(source.publicKey())))
      yield* laterLedger
      const asked = yield* plan(request)
      const [first, second] = [pointOf(asked, token), pointOf(asked, asset)]
      const foreseen = quoteOf(second, "convert_through_contracts")
      assert.isTrue(foreseen > 0n && foreseen < alone, `${foreseen} of ${alone}`)
      const decisions = [
        acknowledges(destination.publicKey()),
        echo(first, "convert_to_native"),
        // Not a stroop less than in the plan.
        echo(second, "convert_through_contracts", { minReceive: showAmount(foreseen) })
      ]
      const { projection, status } = yield* plan({ ...request, decisions })
      assert.deepStrictEqual([status, projection.unverified.filter((doubt) => doubt.includes("through pool"))], ["ready", []])
      // A balance that stays is quoted alone.
      const kept = [decisions[0]!, { id: token, choice: "acknowledge_residue", params: { maxAmount: "100000000" } }]
      assert.strictEqual(quoteOf(pointOf(yield* plan({ ...request, decisions: kept }), asset), "convert_through_contracts"), alone)
      yield* step({ ...request, decisions }, source)
      assert.strictEqual(quoteOf(pointOf(yield* plan(request), asset), "convert_through_contracts"), foreseen)
      const { transactions: [sale] } = yield* step({ ...request, decisions }, source)
      assert.strictEqual(sale?.intent.guarantees.minLumensFromConversions, showAmount(foreseen))
    }))
})

layer(tokensService(["amm_1"]), { excludeTestServices: true })("an asset for which a concentrated pool pays more", (it) => {
  it.effect("is sold through its ticks, as the paths tell it, and what it brings at least is guaranteed", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const market = yield* on(Amm1Market)
      const { passphrase } = yield* on(Network)
      const { concentrated, issuer, native, provider, usdc } = market
      const { around } = rangesOf(passphrase, market)
      yield* on(depositInto(market, provider, around, [native, 50_000n * lumen], [usdc, 5_000n * lumen]))
      const isFirst = poolTokensOf(passphrase, native, usdc)[0]?.toXdr("base64") === poolTokensOf(passphrase, native)[0]?.toXdr("base64")
      yield* on(callContract("lumens fall", {
        as: provider,
        contract: concentrated,
        fn: "swap",
        args: [accountVal(provider), u32(isFirst ? 0 : 1), u32(isFirst ? 1 : 0), u128(20_000n * lumen), u128(0n)]
      }))
      const [source, destination] = [Keypair.random(), Keypair.random()]
      yield* on(fund("100", source, destination))
      yield* on(perform("it trusts", { as: source, operations: [Operation.changeTrust({ asset: usdc })] }))
      yield* on(perform("it is paid", {
        as: issuer,
        operations: [Operation.payment({ destination: source.publicKey(), asset: usdc, amount: "50" })]
      }))
      yield* laterLedger
      const fromAsset = `USDC:${usdc.getIssuer()}`
      const { body: { path } } = yield* call<{ readonly path: { readonly source: string; readonly estimatedReceive: string } }>(
        "GET",
        `/testnet/paths?${new URLSearchParams({ fromAsset, amount: "50" })}`
      )
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const point = pointOf(yield* plan(request), `asset:USDC-${usdc.getIssuer()}`)
      const pools = point.options.find(({ id }) => id === "convert_through_contracts")
      assert.deepStrictEqual([pools?.quote?.source, pools?.quote?.receive], [path.source, path.estimatedReceive])
      assert.strictEqual(path.source, "amm_1")
      const decisions = [acknowledges(destination.publicKey()), echo(point, "convert_through_contracts")]
      const before = yield* lumensOf(source)
      const { transactions: [sale] } = yield* step({ ...request, decisions }, source)
      assert.strictEqual(sale?.intent.guarantees.minLumensFromConversions, pools?.params?.minReceive)
      const fee = BigInt(sale?.intent.feeStroops ?? "0")
      const received = (yield* lumensOf(source)) - before
      assert.isTrue(received <= amountIn(path.estimatedReceive) && received >= amountIn(path.estimatedReceive) - fee, `${received}`)
      assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered.length, 1)
      assert.isNull(yield* heldOf(source, usdc))
    }))
})
