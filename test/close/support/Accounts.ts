import { Asset, getLiquidityPoolId, Keypair, LiquidityPoolAsset, LiquidityPoolFeeV18, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"

/** An account with this many lumens, and their destination. */
export const Pair = (lumens = "100") =>
  Effect.gen(function*() {
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* fund(lumens, source)
    yield* fund("100", destination)
    return { source, destination }
  })

/** Issues an asset to holders, each of which opens a trustline and gets its amount. Returns the asset and its issuer. */
export const Issued = (code: string, ...holders: ReadonlyArray<readonly [holder: Keypair, amount: string]>) =>
  Effect.gen(function*() {
    const issuer = Keypair.random()
    yield* fund("100", issuer)
    const asset = new Asset(code, issuer.publicKey())
    for (const [holder] of holders) {
      yield* perform(`a line to ${code}`, { as: holder, operations: [Operation.changeTrust({ asset })] })
    }
    const paid = holders.filter(([, amount]) => amount !== "0")
    if (paid.length > 0) {
      yield* perform(`${code} is paid out`, {
        as: issuer,
        operations: paid.map(([holder, amount]) => Operation.payment({ destination: holder.publicKey(), asset, amount }))
      })
    }
    return { asset, issuer }
  })

/** A buyer of an asset for lumens: `amount` lumens at `price` units of the asset each. */
export const Buyer = (asset: Asset, amount: string, price: string) =>
  Effect.gen(function*() {
    const maker = Keypair.random()
    yield* fund("20000", maker)
    yield* perform("the buyer's line and offer", {
      as: maker,
      operations: [
        Operation.changeTrust({ asset }),
        Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount, price })
      ]
    })
    return { maker }
  })

/** A pair whose source holds this much of an asset, with a buyer at half a lumen each. */
export const HolderWithMarket = (held = "100") =>
  Effect.gen(function*() {
    const { destination, source } = yield* Pair()
    const { asset, issuer } = yield* Issued("USD", [source, held])
    const { maker } = yield* Buyer(asset, "5000", "2")
    return { source, destination, asset, issuer, maker, decision: `asset:USD-${issuer.publicKey()}` }
  })

/** Puts lumens and units of an asset into its pool of the ledger. */
export const depositInto = (from: Keypair, asset: Asset, lumens: string, units: string) => {
  const pool = new LiquidityPoolAsset(Asset.native(), asset, LiquidityPoolFeeV18)
  const id = getLiquidityPoolId("constant_product", pool.getLiquidityPoolParameters())
  return perform("a deposit into the pool", {
    as: from,
    operations: [
      Operation.changeTrust({ asset: pool }),
      Operation.liquidityPoolDeposit({
        liquidityPoolId: Buffer.from(id).toString("hex"),
        maxAmountA: lumens,
        maxAmountB: units,
        minPrice: { n: 1, d: 2_147_483_647 },
        maxPrice: { n: 2_147_483_647, d: 1 }
      })
    ]
  })
}
