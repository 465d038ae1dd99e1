import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../../../src/domain/Amount.ts"
import { addressOf, strkeyOf } from "../../../../src/ledger/soroban/Values.ts"
import type { Behaviour } from "../../../../src/sandbox/contracts/tokens/Behaviour.ts"
import { addLiquidity, PairsMarketOf, swapInPair, transferToken } from "../../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { deployToken, mintToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { answersTo, echo, pointOf, withAnswer } from "../../support/Answering.ts"
import { plan, refusal } from "../../support/Client.ts"
import { lumensOf } from "../../support/LedgerView.ts"
import { Service } from "../../support/Service.ts"
import { listedIssuer, tokensService } from "./support/DeclaredTokens.ts"
import { closed, held, step, turns } from "./support/Holder.ts"

/** The token list names USDC, through which plain tokens are sold. */
const { issuer, listed } = listedIssuer("USDC")

/** 100 plain tokens of six decimals. */
const units = 100_000_000n

/** A market of pairs, with an account that holds only plain tokens and lumens. */
const scene = Effect.gen(function*() {
  const { on } = yield* Service
  const market = yield* on(PairsMarketOf(issuer))
  const token = strkeyOf(market.tokens.plain)
  const holder = Effect.gen(function*() {
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* on(fund("100", source, destination))
    yield* on(
      transferToken("plain tokens are given", market.provider, { token: market.tokens.plain, amount: units }, addressOf(source.publicKey()))
    )
    yield* laterLedger
    return { source, destination, request: { source: source.publicKey(), destination: destination.publicKey() } }
  })
  const drops = (amount: bigint) =>
    Effect.zipRight(
      on(swapInPair("plain tokens are sold", market.provider, { token: market.tokens.plain, amount }, market.tokens.usdc)),
      laterLedger
    )
  const sends = (to: Keypair, amount: bigint) =>
    Effect.zipRight(
      on(transferToken("more is given", market.provider, { token: market.tokens.plain, amount }, addressOf(to.publicKey()))),
      laterLedger
    )
  /** A stranger's token. A path through it pays few lumens for plain tokens until a stranger donates to the pool. */
  const lure = Effect.gen(function*() {
    const { provider, tokens } = market
    const contract = yield* on(deployToken())
    yield* on(mintToken(contract, provider.publicKey(), 10n ** 13n))
    const own = { token: addressOf(contract), amount: 10n ** 12n }
    const lumens = { token: tokens.lumens, amount: 500_000_000_000n }
    yield* on(addLiquidity("a stranger buys plain tokens", provider, { token: tokens.plain, amount: 5_000_000_000n }, own))
    yield* on(addLiquidity("and sells lumens", provider, own, lumens))
    return {
      contract,
      tempts: on(swapInPair("lumens are given for it", provider, { ...lumens, amount: lumens.amount }, own.token))
    }
  })
  return { market, token, id: `token:${token}`, holder, drops, sends, lure }
})

const inStroops = (text: string | undefined): bigint => BigInt((text ?? "0").replace(".", ""))

layer(tokensService(["amm_2"], {}, listed), { excludeTestServices: true })("a contract token that pools buy", (it) => {
  it.effect("is sold for lumens before the merge, at the floor that was agreed or better, and anything else is refused", () =>
    Effect.gen(function*() {
      const { drops, holder, id, lure, market, sends, token } = yield* scene
      const lures = [yield* lure, yield* lure]

      // Sold as offered.
      const first = yield* holder
      const asked = yield* plan(first.request)
      const point = pointOf(asked, id)
      const [offer] = point.options
      assert.deepStrictEqual([offer?.id, offer?.quote?.source, offer?.needs], ["convert_to_native", "amm_2", []])
      // A hundred of ten thousand moves the price of both pools on the route beyond the recommended impact.
      assert.isTrue((offer?.quote?.priceImpactBps ?? 0) > 300 && offer?.recommended === undefined, JSON.stringify(offer?.quote))
      assert.deepStrictEqual(asked.warnings.filter(({ code }) => code === "price_impact").map(({ subject }) => subject), [id])
      assert.deepStrictEqual(offer?.params?.amount, units.toString())
      assert.strictEqual(point.default, null)
      const decisions = answersTo(asked, "convert_to_native")
      const before = yield* lumensOf(first.destination)
      const { covered, plan: ready } = yield* closed({ ...first.request, decisions }, first.source)
      assert.deepStrictEqual(covered, ["HANDLE_TOKENS", "MERGE"])
      assert.deepStrictEqual(ready.transactions.map(({ reason }) => reason ?? null), ["token_exit", null])
      assert.strictEqual(yield* held(token, first.source), 0n)
      const received = (yield* lumensOf(first.destination)) - before
      // 100 lumens and the sale, less fees: the proceeds equal the plan's estimate, and never fall below its minimum.
      const told = BigInt((ready.estimate.receivedLumens ?? "").replace(".", ""))
      const least = BigInt((ready.estimate.minReceivedLumens ?? "").replace(".", ""))
      assert.isTrue(received >= least, `${received} of ${least}`)
      assert.isTrue(received >= told && received <= told + 1_000_000n, `${received}, told ${told}`)
      assert.isAbove(Number(BigInt(offer?.quote?.receive.replace(".", "") ?? "0")), 0)

      // The price falls between plan and build.
      const second = yield* holder
      const again = answersTo(yield* plan(second.request), "convert_to_native")
      yield* drops(400_000_000n)
      const drifted = yield* refusal("next", { ...second.request, decisions: again })
      assert.deepStrictEqual([drifted.code, drifted.details["decisionId"]], ["quote_drifted", id])
      // The account holds less than the minimum was made for, at the same price.
      const fresh = pointOf(yield* plan(second.request), id)
      const floor = BigInt(fresh.options[0]?.params?.minReceive?.replace(".", "") ?? "0")
      const twice = echo(fresh, "convert_to_native", { amount: (units * 2n).toString(), minReceive: showAmount(floor * 2n) })
      const told2 = yield* plan({ ...second.request, decisions: withAnswer(again, twice) })
      assert.strictEqual(told2.status, "ready", JSON.stringify(told2.decisionPoints))
      assert.include(told2.warnings.map(({ code, subject }) => `${code} ${subject}`), `amount_changed ${token}`)
      const noFloor = yield* refusal("next", { ...second.request, decisions: withAnswer(again, { id, choice: "convert_to_native" }) })
      assert.strictEqual(noFloor.code, "conversion_floor_missing")

      // Sold, and more arrives afterwards: a stranger cannot cause sale after sale.
      const sold = withAnswer(again, echo(fresh, "convert_to_native"))
      assert.deepStrictEqual((yield* step({ ...second.request, decisions: sold }, second.source)).transactions[0]?.covers, [
        "HANDLE_TOKENS"
      ])
      yield* sends(second.source, 5n)
      const once = pointOf(yield* plan({ ...second.request, decisions: sold }), id)
      assert.deepStrictEqual([once.required, once.answered], [true, false])
      const left = withAnswer(sold, echo(once, "acknowledge_residue"))
      assert.deepStrictEqual((yield* closed({ ...second.request, decisions: left }, second.source)).covered, ["MERGE"])
      assert.strictEqual(yield* held(token, second.source), 5n)

      // Strangers open pairs that seem to pay more, and then do not pay. The sale takes the honest route, at the agreed price.
      const third = yield* holder
      const honest = pointOf(yield* plan(third.request), id)
      const agreed = withAnswer(answersTo(yield* plan(third.request)), echo(honest, "convert_to_native"))
      const traps: ReadonlyArray<Behaviour> = [{ _tag: "Fails", functions: ["transfer"] }, { _tag: "TakesFee", basisPoints: 1_000 }]
      for (const [at, { contract, tempts }] of lures.entries()) {
        yield* tempts
        yield* turns(contract, ...traps.slice(at, at + 1))
      }
      // The offered option works.
      const tried = pointOf(yield* plan(third.request), id).options[0]
      assert.deepStrictEqual([tried?.params, tried?.quote?.path], [honest.options[0]?.params, honest.options[0]?.quote?.path])
      // An owner who agreed to the strangers' price gets an error, because that price is not paid.
      const more = showAmount(inStroops(honest.options[0]?.quote?.receive) + 10_000_000n)
      const luredBy = withAnswer(agreed, echo(honest, "convert_to_native", { minReceive: more }))
      const told3 = pointOf(yield* plan({ ...third.request, decisions: luredBy }), id)
      assert.deepStrictEqual([told3.answered, told3.options[0]?.quote?.path], [false, honest.options[0]?.quote?.path])
      assert.strictEqual((yield* refusal("next", { ...third.request, decisions: luredBy })).code, "quote_drifted")
      const { transactions: [sale] } = yield* step(
        { ...third.request, decisions: withAnswer(agreed, echo(told3, "convert_to_native")) },
        third.source
      )
      const [swap] = sale?.intent.operations ?? []
      assert.include(JSON.stringify(swap), strkeyOf(market.tokens.usdc))
      assert.strictEqual(yield* held(token, third.source), 0n)
      assert.isTrue(inStroops(sale?.intent.guarantees.minLumensFromConversions) >= inStroops(honest.options[0]?.params?.minReceive))

      // The owner agrees to half of the quote, and the price falls near it: the close brings what the plan promised, or more.
      const fourth = yield* holder
      yield* sends(fourth.source, 9n * units)
      const offered4 = pointOf(yield* plan(fourth.request), id)
      const quoted = inStroops(offered4.options[0]?.quote?.receive)
      assert.isTrue(quoted > 1_000_000_000n, `${quoted}`)
      const halved = withAnswer(
        answersTo(yield* plan(fourth.request)),
        echo(offered4, "convert_to_native", { amount: (10n * units).toString(), minReceive: showAmount(quoted / 2n) })
      )
      const promised = inStroops((yield* plan({ ...fourth.request, decisions: halved })).estimate.minReceivedLumens ?? undefined)
      yield* drops(2_500_000_000n)
      const had = yield* lumensOf(fourth.destination)
      const sold4 = yield* closed({ ...fourth.request, decisions: halved }, fourth.source)
      const brought = (yield* lumensOf(fourth.destination)) - had
      assert.deepStrictEqual(sold4.covered, ["HANDLE_TOKENS", "MERGE"])
      // Of the quote at least a fifth is lost.
      assert.isBelow(Number(brought), 1_000_000_000 + Number((quoted * 4n) / 5n))
      assert.isTrue(brought >= promised && promised > 0n, `${brought} of ${promised}`)
    }))
})
