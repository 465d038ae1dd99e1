import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asI32,
  asU128,
  asU256,
  asVec,
  field,
  i32,
  struct,
  u128,
  u256,
  variant,
  vec
} from "../../../ledger/soroban/Values.ts"
import { readAndExtend, writeAndExtend } from "./ExtendedEntries.ts"
import { amountAt, stored } from "./Instance.ts"
import { concentratedKeys } from "./PoolKeys.ts"
import type { Range } from "./RangeAmounts.ts"

/** The price a pool stands at: its square root with 96 binary places, and the tick at or below it. */
export interface Slot {
  readonly sqrtPrice: bigint
  readonly tick: number
}

/** Liquidity of one owner between two ticks, and what it has earned of each token. */
export interface Position {
  readonly liquidity: bigint
  /** Fees a unit of liquidity had earned within the range when this was last settled, with 128 binary places. */
  readonly growth: readonly [bigint, bigint]
  readonly owed: readonly [bigint, bigint]
}

/** All ranges of one owner, and the liquidity in them: as it is, and as it counts for rewards. */
export interface UserState {
  readonly ranges: ReadonlyArray<Range>
  readonly raw: bigint
  readonly weighted: bigint
}

export const positionKey = (owner: xdr.ScAddress, { lower, upper }: Range): xdr.ScVal =>
  variant("Position", addressVal(owner), i32(lower), i32(upper))

export const userKey = (owner: xdr.ScAddress): xdr.ScVal => variant("User", addressVal(owner))

export const slotVal = ({ sqrtPrice, tick }: Slot): xdr.ScVal => struct({ sqrt_price_x96: u256(sqrtPrice), tick: i32(tick) })

export const readSlot = (host: ContractHost): Slot =>
  stored(
    host,
    concentratedKeys.slot0,
    (value) => ({ sqrtPrice: asU256(field(value, "sqrt_price_x96")), tick: asI32(field(value, "tick")) })
  )

export const tickSpacing = (host: ContractHost): number => stored(host, concentratedKeys.tickSpacing, asI32)

export const poolTokens = (host: ContractHost): readonly [xdr.ScAddress, xdr.ScAddress] => [
  stored(host, concentratedKeys.token0, asAddress),
  stored(host, concentratedKeys.token1, asAddress)
]

export const poolReserves = (host: ContractHost): readonly [bigint, bigint] => [
  amountAt(host, concentratedKeys.reserve0),
  amountAt(host, concentratedKeys.reserve1)
]

export const setPoolReserves = (host: ContractHost, [first, second]: readonly [bigint, bigint]): void => {
  host.instance.set(concentratedKeys.reserve0, u128(first))
  host.instance.set(concentratedKeys.reserve1, u128(second))
}

export const positionVal = ({ growth, liquidity, owed }: Position): xdr.ScVal =>
  struct({
    fee_growth_inside_0_last_x128: u256(growth[0]),
    fee_growth_inside_1_last_x128: u256(growth[1]),
    liquidity: u128(liquidity),
    tokens_owed_0: u128(owed[0]),
    tokens_owed_1: u128(owed[1])
  })

export const readPosition = (host: ContractHost, owner: xdr.ScAddress, range: Range): Position | undefined => {
  const value = readAndExtend(host, positionKey(owner, range))
  return value === undefined
    ? undefined
    : {
      growth: [asU256(field(value, "fee_growth_inside_0_last_x128")), asU256(field(value, "fee_growth_inside_1_last_x128"))],
      liquidity: asU128(field(value, "liquidity")),
      owed: [asU128(field(value, "tokens_owed_0")), asU128(field(value, "tokens_owed_1"))]
    }
}

export const writePosition = (host: ContractHost, owner: xdr.ScAddress, range: Range, position: Position): void =>
  writeAndExtend(host, positionKey(owner, range), positionVal(position))

const rangeVal = ({ lower, upper }: Range): xdr.ScVal => struct({ tick_lower: i32(lower), tick_upper: i32(upper) })

const asRange = (value: xdr.ScVal): Range => ({ lower: asI32(field(value, "tick_lower")), upper: asI32(field(value, "tick_upper")) })

/** What is kept of an owner, under the name a caller wants the ranges under. */
export const userVal = ({ ranges, raw, weighted }: UserState, name: "positions" | "ranges"): xdr.ScVal =>
  struct({ [name]: vec(...ranges.map(rangeVal)), raw_liquidity: u128(raw), weighted_liquidity: u128(weighted) })

export const readUser = (host: ContractHost, owner: xdr.ScAddress): UserState => {
  const value = readAndExtend(host, userKey(owner))
  return value === undefined
    ? { ranges: [], raw: 0n, weighted: 0n }
    : {
      ranges: asVec(field(value, "positions")).map(asRange),
      raw: asU128(field(value, "raw_liquidity")),
      weighted: asU128(field(value, "weighted_liquidity"))
    }
}

export const writeUser = (host: ContractHost, owner: xdr.ScAddress, state: UserState): void =>
  writeAndExtend(host, userKey(owner), userVal(state, "positions"))

export const isRange = ({ lower, upper }: Range) => (other: Range): boolean => other.lower === lower && other.upper === upper
