import type { ContractAddress } from "../../domain/Address.ts"
import { mulDown, mulUp, one7 } from "./FixedPoint.ts"
import type { ReserveHolding } from "./Pool.ts"

/** Prices of the pool's oracle (SEP-40 `lastprice`), all with the same number of decimals; null where it has none. */
export type Prices = (asset: ContractAddress) => bigint | null

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
