import { HttpRouter, HttpServerResponse } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { sameAsset } from "../../ledger/Asset.ts"
import { canonicalAsset } from "../AssetName.ts"
import { showAmount } from "../DecimalAmount.ts"
import { type Indexed, indexOf } from "../LedgerIndex.ts"
import type { Chain } from "../network/Chain.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { modified } from "./ModifiedTime.ts"
import { page, textKey } from "./Page.ts"
import { Problem } from "./Problem.ts"
import { accountParameter, checkCanonicalAsset, pathPart, query } from "./Query.ts"
import { View } from "./View.ts"

const maxReserves = 2

const poolIdOf = ({ body }: Indexed<xdr.LiquidityPoolEntry>): string => Buffer.from(body.liquidityPoolId.toBytes()).toString("hex")

const poolResource = (chain: Chain, pool: Indexed<xdr.LiquidityPoolEntry>, origin: string) => {
  const id = poolIdOf(pool)
  const self = `${origin}/liquidity_pools/${id}`
  const { params, poolSharesTrustLineCount, reserveA, reserveB, totalPoolShares } = pool.body.body.constantProduct
  return {
    _links: { self: { href: self } },
    id,
    fee_bp: params.fee,
    type: "constant_product",
    total_trustlines: poolSharesTrustLineCount.toString(),
    total_shares: showAmount(totalPoolShares),
    reserves: [
      { asset: canonicalAsset(params.assetA), amount: showAmount(reserveA) },
      { asset: canonicalAsset(params.assetB), amount: showAmount(reserveB) }
    ],
    ...modified(chain, pool.lastModified),
    paging_token: id
  }
}

/** `GET /liquidity_pools`, by reserves or by an account that holds shares. */
export const liquidityPools = HttpRouter.makeRoute(
  "GET",
  "/liquidity_pools",
  Effect.gen(function*() {
    const from = yield* query
    const names = (from.get("reserves") ?? "").split(",").filter((name) => name !== "")
    if (names.length > maxReserves) {
      return yield* Problem.invalidField("reserves", `reserves exceeds maximum length of ${maxReserves}`)
    }
    const reserves = yield* Effect.forEach(names, (name) => checkCanonicalAsset("reserves", name))
    const account = yield* accountParameter(from, "account")
    const chain = yield* View
    const index = indexOf(chain.state)
    const held = account === undefined ? undefined : new Set(
      (index.trustlines.get(account) ?? []).flatMap(({ body: { asset } }) =>
        asset.type === "assetTypePoolShare" ? [Buffer.from(asset.liquidityPoolId.toBytes()).toString("hex")] : []
      )
    )
    return yield* page({
      ...textKey,
      items: index.pools.filter((pool) => {
        const { assetA, assetB } = pool.body.body.constantProduct.params
        return (held === undefined || held.has(poolIdOf(pool))) &&
          reserves.every((asset) => sameAsset(asset, assetA) || sameAsset(asset, assetB))
      }),
      keyOf: poolIdOf,
      render: (pool, origin) => poolResource(chain, pool, origin)
    })
  })
)

/** `GET /liquidity_pools/{id}`. */
export const liquidityPool = HttpRouter.makeRoute(
  "GET",
  "/liquidity_pools/:id",
  Effect.gen(function*() {
    const id = yield* pathPart("id")
    if (!/^[0-9a-f]{64}$/.test(id)) {
      return yield* Problem.invalidField("liquidity_pool_id", `${id} does not validate as sha256`)
    }
    const chain = yield* View
    const found = indexOf(chain.state).pools.find((pool) => poolIdOf(pool) === id)
    if (found === undefined) return yield* Problem.notFound
    return HttpServerResponse.unsafeJson(poolResource(chain, found, yield* requestOrigin))
  })
)
