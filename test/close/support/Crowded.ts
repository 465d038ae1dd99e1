import { Asset, getLiquidityPoolId, Keypair, LiquidityPoolAsset, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"

const chunked = (operations: ReadonlyArray<xdr.Operation>): ReadonlyArray<ReadonlyArray<xdr.Operation>> =>
  Array.from({ length: Math.ceil(operations.length / 100) }, (_, at) => operations.slice(at * 100, at * 100 + 100))

/** How many of each an account holds. */
export interface Crowd {
  readonly data: number
  readonly offers: number
  readonly emptyLines: number
  readonly balances: number
}

/** An account with this many data entries, offers, empty trustlines and unsellable balances, and a destination. */
export const Crowded = ({ balances, data, emptyLines, offers }: Crowd, lumens = "1000") =>
  Effect.gen(function*() {
    const [source, destination, issuer] = [Keypair.random(), Keypair.random(), Keypair.random()]
    yield* fund(lumens, source)
    yield* fund("100", destination, issuer)
    const wanted = new Asset("WANTED", issuer.publicKey())
    const held = Array.from({ length: balances }, (_, at) => new Asset(`HELD${at}`, issuer.publicKey()))
    const empty = Array.from({ length: emptyLines }, (_, at) => new Asset(`EMPTY${at}`, issuer.publicKey()))
    const own = [
      ...[...held, ...empty, ...(offers > 0 ? [wanted] : [])].map((asset) => Operation.changeTrust({ asset })),
      ...Array.from({ length: data }, (_, at) => Operation.manageData({ name: `entry ${at}`, value: "1" })),
      ...Array.from({ length: offers }, (_, at) =>
        Operation.manageSellOffer({ selling: Asset.native(), buying: wanted, amount: "1", price: String(at + 1) }))
    ]
    for (const operations of chunked(own)) {
      yield* perform("the account fills up", { as: source, operations })
    }
    for (
      const operations of chunked(held.map((asset) =>
        Operation.payment({ destination: source.publicKey(), asset, amount: "7" })
      ))
    ) {
      yield* perform("balances arrive", { as: issuer, operations })
    }
    return { source, destination, issuer }
  })

/** An account with shares in a pool of lumens and an asset, and with some of that asset beside. */
export const PoolShareHolder = Effect.gen(function*() {
  const [source, destination, issuer, maker] = [Keypair.random(), Keypair.random(), Keypair.random(), Keypair.random()]
  yield* fund("500", source)
  yield* fund("100", destination, issuer)
  yield* fund("20000", maker)
  const asset = new Asset("POOLED", issuer.publicKey())
  const pool = new LiquidityPoolAsset(Asset.native(), asset, 30)
  const liquidityPoolId = Buffer.from(getLiquidityPoolId("constant_product", pool.getLiquidityPoolParameters())).toString("hex")
  for (const holder of [maker, source]) {
    yield* perform("lines", { as: holder, operations: [Operation.changeTrust({ asset }), Operation.changeTrust({ asset: pool })] })
  }
  yield* perform("paid out", {
    as: issuer,
    operations: [
      Operation.payment({ destination: maker.publicKey(), asset, amount: "5000" }),
      Operation.payment({ destination: source.publicKey(), asset, amount: "60.5" })
    ]
  })
  const deposit = (maxAmountA: string, maxAmountB: string) =>
    Operation.liquidityPoolDeposit({ liquidityPoolId, maxAmountA, maxAmountB, minPrice: "0.1", maxPrice: "10" })
  yield* perform("the maker deposits", { as: maker, operations: [deposit("10000", "5000")] })
  yield* perform("the account deposits", { as: source, operations: [deposit("100", "50")] })
  return { source, destination, issuer, maker, asset, poolId: liquidityPoolId, decision: `asset:POOLED-${issuer.publicKey()}` }
})
