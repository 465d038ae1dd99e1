import type { xdr } from "@stellar/stellar-sdk"
import { isIssuer, isNative } from "./Asset.ts"
import type { Draft } from "./Draft.ts"
import { poolUseCount, withPoolUseCount } from "./entries/Trustline.ts"
import { withReserves } from "./exchange/Pool.ts"
import { fault } from "./LedgerFault.ts"
import { loadPool, loadTrustline } from "./Loaded.ts"

/**
 * Uncounts a pool-share line that is gone: on the owner's two asset lines, and on the pool, which goes with its
 * last line.
 */
export const releasePoolUse = (
  draft: Draft,
  owner: xdr.PublicKey,
  { assetA, assetB }: xdr.LiquidityPoolConstantProductParameters,
  poolId: xdr.PoolId
): void => {
  for (const asset of [assetA, assetB]) {
    if (isNative(asset) || isIssuer(owner, asset)) continue
    const line = loadTrustline(draft, owner, asset) ?? fault("the asset trustline of a pool share is missing")
    const count = poolUseCount(line.current) - 1
    line.set(withPoolUseCount(line.current, count < 0 ? fault("the trustline is used by no pool share") : count))
  }
  const pool = loadPool(draft, poolId) ?? fault("the pool is missing")
  pool.set(withReserves(pool.current, { poolSharesTrustLineCount: -1n }))
  if (pool.current.body.constantProduct.poolSharesTrustLineCount === 0n) pool.erase()
}
