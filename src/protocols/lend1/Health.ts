import { mulDown, mulUp, one7 } from "../kit/FixedPoint.ts"
import type { PoolState, ReserveHolding } from "./Pool.ts"
import type { Prices } from "./Prices.ts"

/** What collateral and debt count for in a pool, in the oracle's unit. Plain supply counts for nothing. */
export interface Health {
  readonly collateral: bigint
  readonly debt: bigint
}

/** The least a pool accepts after a withdrawal of collateral or a loan, collateral over debt, seven decimals. */
export const leastHealth = 10_000_100n

/** Weighs a user's holdings as the pool does; null while a price is missing. */
export const healthOf = (holdings: ReadonlyArray<ReserveHolding>, priceOf: Prices): Health | null => {
  let [collateral, debt] = [0n, 0n]
  for (const holding of holdings) {
    if (holding.bCollateral === 0n && holding.dTokens === 0n) continue
    const price = priceOf(holding.asset)
    if (price === null) return null
    const unit = 10n ** BigInt(holding.config.decimals)
    collateral += mulDown(price, mulDown(holding.collateral, BigInt(holding.config.c_factor), one7), unit)
    debt += mulUp(price, mulUp(holding.debt, one7, BigInt(holding.config.l_factor)), unit)
  }
  return { collateral, debt }
}

/** Collateral over debt with seven decimals, rounded down; null without debt. */
export const healthFactor = ({ collateral, debt }: Health): bigint | null => (debt === 0n ? null : mulDown(collateral, one7, debt))

/** The health factor of everything a user has in a pool; null without debt, or while a price is missing. */
export const poolHealth = ({ holdings, prices }: PoolState): bigint | null => {
  const health = healthOf(holdings, prices)
  return health === null ? null : healthFactor(health)
}
