import { Asset, getLiquidityPoolId, Keypair, LiquidityPoolAsset, Operation } from "@stellar/stellar-sdk"
import { Effect, FastCheck } from "effect"
import { showAmount } from "../../../src/domain/Amount.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"

const codes = ["AAA", "BBBB", "CCCCC"] as const
const anAmount = (max: number) => FastCheck.integer({ min: 1, max }).map((stroops) => showAmount(BigInt(stroops)))
const aPrice = FastCheck.tuple(FastCheck.integer({ min: 1, max: 3000 }), FastCheck.integer({ min: 1, max: 3000 })).map(([n, d]) => ({
  n,
  d
}))
const aSide = FastCheck.integer({ min: 0, max: codes.length })

/** Random holdings of three assets, and a market of them and lumens made of offers and pools. */
export const aWorld = FastCheck.record({
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

export type World = typeof aWorld extends FastCheck.Arbitrary<infer A> ? A : never

/** Creates a world: the account with the holdings, its destination, and the market maker, who is also the issuer. */
export const build = ({ data, held, makerOffers, ownOffers, pools }: World) =>
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
    return { source, destination, maker, assets: issuedAssets }
  })
