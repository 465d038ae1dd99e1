import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { type Pool, readReserveList } from "./Pool.ts"
import { PoolError } from "./PoolError.ts"
import { type PoolTraits, SEVEN } from "./PoolTraits.ts"
import type { Positions } from "./Positions.ts"

/** The least that collateral must be of debt, both weighed, seven decimals: a little over one against rounding. */
const LEAST_HEALTH = 10_000_100n

/** Fails unless what backs the debt of a user is enough for it. */
export const requireHealth = (host: ContractHost, traits: PoolTraits, pool: Pool, positions: Positions): void => {
  const { fixed } = traits
  const scale = 10n ** BigInt(pool.priceDecimals())
  let collateral = 0n
  let debt = 0n
  for (const [index, asset] of readReserveList(host).entries()) {
    const supplied = positions.collateral.get(index) ?? 0n
    const owed = positions.liabilities.get(index) ?? 0n
    if (supplied === 0n && owed === 0n) continue
    const reserve = pool.reserve(asset)
    const price = pool.price(asset)
    if (supplied > 0n) collateral += fixed.mulFloor(price, reserve.weighedSupplyOf(supplied), reserve.scalar)
    if (owed > 0n) debt += fixed.mulCeil(price, reserve.weighedDebtOf(owed), reserve.scalar)
    pool.keep(reserve)
  }
  const least = fixed.mulFloor(scale, LEAST_HEALTH, SEVEN)
  if (debt !== 0n && fixed.divFloor(collateral, debt, scale) < least) host.fail(PoolError.invalidHealth)
  if (pool.config.minCollateral !== undefined && collateral < pool.config.minCollateral) host.fail(PoolError.collateralTooSmall)
}
