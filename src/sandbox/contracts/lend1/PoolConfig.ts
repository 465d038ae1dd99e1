import type { xdr } from "@stellar/stellar-sdk"
import { addressVal, asAddress, asI128, asU32, field, i128, lookup, struct, symbol, u32 } from "../../../ledger/soroban/Values.ts"

/** How a pool is run. */
export interface PoolConfig {
  readonly oracle: xdr.ScAddress
  /** What of interest the backstop gets, seven decimals. */
  readonly backstopRate: number
  /** 0 and 1 active, 2 and 3 on ice, 4 and 5 frozen, 6 being set up. */
  readonly status: number
  readonly maxPositions: number
  /** Second version only: what collateral must be worth while there is debt, in the oracle's units. */
  readonly minCollateral: bigint | undefined
}

export const poolConfigVal = (config: PoolConfig): xdr.ScVal =>
  struct({
    bstop_rate: u32(config.backstopRate),
    max_positions: u32(config.maxPositions),
    ...(config.minCollateral === undefined ? {} : { min_collateral: i128(config.minCollateral) }),
    oracle: addressVal(config.oracle),
    status: u32(config.status)
  })

export const asPoolConfig = (value: xdr.ScVal): PoolConfig => {
  const minCollateral = lookup(value, symbol("min_collateral"))
  return {
    oracle: asAddress(field(value, "oracle")),
    backstopRate: asU32(field(value, "bstop_rate")),
    status: asU32(field(value, "status")),
    maxPositions: asU32(field(value, "max_positions")),
    minCollateral: minCollateral === undefined ? undefined : asI128(minCollateral)
  }
}
