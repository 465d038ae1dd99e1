import { assert } from "@effect/vitest"
import { Asset, getLiquidityPoolId, Keypair, LiquidityPoolAsset, Operation } from "@stellar/stellar-sdk"
import { Effect, FastCheck } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { answersTo } from "./support/Answering.ts"
import { plan } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"

const codes = ["AAA", "BBBB", "CCCCC"] as const
const anAmount = (max: number) => FastCheck.integer({ min: 1, max }).map((stroops) => showAmount(BigInt(stroops)))
const aPrice = FastCheck.tuple(FastCheck.integer({ min: 1, max: 3000 }), FastCheck.integer({ min: 1, max: 3000 })).map(([n, d]) => ({
  n,
  d
}))
const aSide = FastCheck.integer({ min: 0, max: codes.length })

/** Random holdings of three assets, and a market of them and lumens made of offers and pools. */
const aWorld = FastCheck.record({
  held: FastCheck.array(anAmount(2_000_000_000), { minLength: 3, maxLength: 3 }),
  makerOffers: FastCheck.array(FastCheck.record({ selling: aSide, buying: aSide, amount: anAmount(3_000_000_000), price: aPrice }), {
    maxLength: 12
  }),
  ownOffers: FastCheck.array(FastCheck.record({ selling: aSide, buying: aSide, amount: anAmount(50_000_000), price: aPrice }), {
    maxLength: 4
  }),
  pools: FastCheck.uniqueArray(
    FastCheck.record({ a: aSide, b: aSide, x: anAmount(2_000_000_000), y: anAmount(2_000_000_000), share: FastCheck.boolean() }),
    { maxLength: 3, selector: ({ a, b }) => `${Math.min(a, b)} ${Math.max(a, b)}` }
  ),
  data: FastCheck.integer({ min: 0, max: 4 })
})

type World = typeof aWorld extends FastCheck.Arbitrary<infer A> ? A : never

/**
 * A dust sale over two other assets, quoted behind the sales of both, which move the market in its favour. The first transaction carries
 * none of the three: what a share pays has to be read first.
 */
const quotedBehindOthers: World = {
  held: ["16.2478075", "199.9999987", "0.0000017"],
  makerOffers: [{ selling: 0, buying: 2, amount: "204.0919122", price: { n: 2962, d: 2995 } }],
  ownOffers: [],
  pools: [
    { a: 2, b: 1, x: "47.8317582", y: "181.6680670", share: true },
    { a: 1, b: 0, x: "179.4251436", y: "102.0138726", share: false },
    { a: 1, b: 3, x: "91.7670952", y: "91.4403914", share: false }
  ],
  data: 0
}

const build = ({ data, held, makerOffers, ownOffers, pools }: World) =>
  Effect.gen(function*() {
    const [source, destination, issuer, maker] = [Keypair.random(), Keypair.random(), Keypair.random(), Keypair.random()]
    yield* fund("2000", source)
    yield* fund("100", destination, issuer)
    yield* fund("100000", maker)
    const assets = [Asset.native(), ...codes.map((code) => new Asset(code, issuer.publicKey()))]
    const issuedAssets = assets.slice(1)
    const at = (index: number) => assets[index] ?? Asset.native()
    for (const holder of [source, maker]) {
      yield* perform("lines", { as: holder, operations: issuedAssets.map((asset) => Operation.changeTrust({ asset })) })
    }
    yield* perform("paid out", {
      as: issuer,
      operations: issuedAssets.flatMap((asset, index) => [
        Operation.payment({ destination: source.publicKey(), asset, amount: held[index] ?? "1" }),
        Operation.payment({ destination: maker.publicKey(), asset, amount: "100000" })
      ])
    })
    const attempt = (step: string, as: Keypair, operations: ReadonlyArray<ReturnType<typeof Operation.payment>>) =>
      Effect.ignore(perform(step, { as, operations }))
    for (const { a, b, share, x, y } of pools.filter((pool) => pool.a !== pool.b)) {
      const [first, second] = Asset.compare(at(a), at(b)) < 0 ? [at(a), at(b)] : [at(b), at(a)]
      const pool = new LiquidityPoolAsset(first, second, 30)
      const liquidityPoolId = Buffer.from(getLiquidityPoolId("constant_product", pool.getLiquidityPoolParameters())).toString("hex")
      const deposit = (
        maxAmountA: string,
        maxAmountB: string
      ) => [
        Operation.changeTrust({ asset: pool }),
        Operation.liquidityPoolDeposit({ liquidityPoolId, maxAmountA, maxAmountB, minPrice: "0.0000001", maxPrice: "100000000" })
      ]
      yield* attempt("a pool", maker, deposit(x, y))
      if (share) yield* attempt("a share", source, deposit("5", "5"))
    }
    for (const [as, offers] of [[maker, makerOffers], [source, ownOffers]] as const) {
      for (const { amount, buying, price, selling } of offers.filter((offer) => offer.selling !== offer.buying)) {
        yield* attempt("an offer", as, [Operation.manageSellOffer({ selling: at(selling), buying: at(buying), amount, price })])
      }
    }
    for (let index = 0; index < data; index++) yield* attempt("data", source, [Operation.manageData({ name: `d${index}`, value: "1" })])
    return { source, destination }
  })

layer(Service.layer(), { excludeTestServices: true })("of random holdings in a random market", (it) => {
  it.effect("every close comes to its end and brings what was planned, to the stroop", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      for (const world of [quotedBehindOthers, ...FastCheck.sample(aWorld, 10)]) {
        const { destination, source } = yield* on(build(world))
        const told = JSON.stringify(world)
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const decisions = answersTo(yield* plan(request), "convert_to_native")
        const ready = yield* plan({ ...request, decisions })
        assert.strictEqual(ready.status, "ready", told)
        assert.strictEqual(ready.projection.status, "verified", `${told} ${JSON.stringify(ready.projection)}`)
        const closed = yield* Effect.catchAllCause(closeThrough({ source, destination, decisions }), (cause) =>
          Effect.dieMessage(`${told} ${cause.toString()}`))
        assert.strictEqual(showAmount(closed.received), ready.estimate.receivedLumens, told)
        assert.isTrue(BigInt((ready.estimate.minReceivedLumens ?? "").replace(".", "")) <= closed.received, told)
        assert.strictEqual(closed.rounds.length, ready.estimate.transactionCount, told)
      }
    }))
})
