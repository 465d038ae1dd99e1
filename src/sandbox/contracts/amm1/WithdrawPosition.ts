import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { i128Max } from "../../../ledger/soroban/Values.ts"
import { pay } from "../HeldTokens.ts"
import { asAmounts } from "./Amounts.ts"
import { concentratedPlaneData } from "./ConcentratedPlane.ts"
import {
  isRange,
  poolReserves,
  poolTokens,
  type Position,
  positionKey,
  readPosition,
  readSlot,
  readUser,
  setPoolReserves,
  writePosition,
  writeUser
} from "./ConcentratedStore.ts"
import { tellPlane } from "./Plane.ts"
import { ConcentratedError, PoolError } from "./PoolError.ts"
import { emitLiquidity } from "./PoolEvents.ts"
import { afterPaying, changeOwned, changeTicks, changeWorking } from "./PositionChange.ts"
import { emitFees, emitPosition } from "./PositionEvents.ts"
import { withFees } from "./PositionFees.ts"
import { type Amounts, amountsAt, type Range } from "./RangeAmounts.ts"
import { requireRange } from "./Ranges.ts"
import { settleAll } from "./RewardFunctions.ts"
import { reweigh, weightedHolder } from "./WeightedLiquidity.ts"

/** What an owner wants to take out of a range, and the least that it must bring. */
export interface Withdrawal {
  readonly owner: xdr.ScAddress
  readonly range: Range
  readonly liquidity: bigint
  readonly minimums: ReadonlyArray<xdr.ScVal>
}

export const requirePosition = (host: ContractHost, owner: xdr.ScAddress, range: Range): Position =>
  readPosition(host, owner, range) ?? host.fail(ConcentratedError.positionNotFound)

export const requireLiquidity = (host: ContractHost, liquidity: bigint): void => {
  if (liquidity === 0n) host.fail(PoolError.zeroAmount)
  if (liquidity > i128Max) host.fail(ConcentratedError.amountTooLarge)
}

/** What a withdrawal from a settled position pays: the value of the liquidity at the current price, and all fees owed. */
export const payoutOf = (host: ContractHost, settled: Position, range: Range, liquidity: bigint): Amounts => {
  const [first, second] = amountsAt(readSlot(host).sqrtPrice, range, liquidity, "down")
  return [first + settled.owed[0], second + settled.owed[1]]
}

/** Keeps a position whose fees were paid, or forgets it and its range where nothing is left. */
export const keepOrForget = (host: ContractHost, owner: xdr.ScAddress, range: Range, position: Position): void => {
  if (position.liquidity > 0n) return writePosition(host, owner, range, { ...position, owed: [0n, 0n] })
  host.persistent.remove(positionKey(owner, range))
  const state = readUser(host, owner)
  const isOther = (other: Range): boolean => !isRange(range)(other)
  return writeUser(host, owner, { ...state, ranges: state.ranges.filter(isOther) })
}

/** Pays what is more than nothing. */
export const payBoth = (host: ContractHost, owner: xdr.ScAddress, amounts: Amounts): void => {
  for (const [at, token] of poolTokens(host).entries()) {
    const amount = amounts[at] ?? 0n
    if (amount > 0n) pay(host, token, owner, amount)
  }
}

/** Takes liquidity out of a range and pays it with all fees the range has earned. */
export const withdrawPosition = (host: ContractHost, { liquidity, minimums, owner, range }: Withdrawal): Amounts => {
  host.requireAuth(owner)
  requireLiquidity(host, liquidity)
  if (minimums.length !== 2) host.fail(PoolError.wrongVectorSize)
  requireRange(host, range)
  reweigh(host, owner)
  settleAll(host, weightedHolder(host, owner))
  const settled = withFees(host, requirePosition(host, owner, range), range, readSlot(host).tick)
  if (settled.liquidity < liquidity) host.fail(ConcentratedError.insufficientLiquidity)
  const paid = payoutOf(host, settled, range, liquidity)
  const [least0 = 0n, least1 = 0n] = asAmounts(host, minimums)
  if (paid[0] < least0 || paid[1] < least1) host.fail(PoolError.minimumNotMet)
  const left = afterPaying(host, poolReserves(host), paid)
  keepOrForget(host, owner, range, { ...settled, liquidity: settled.liquidity - liquidity })
  changeTicks(host, range, -liquidity)
  changeWorking(host, range, -liquidity)
  changeOwned(host, owner, -liquidity)
  payBoth(host, owner, paid)
  emitFees(host, owner, settled.owed)
  setPoolReserves(host, left)
  tellPlane(host, concentratedPlaneData(host))
  emitLiquidity(host, "withdraw_liquidity", { tokens: poolTokens(host), amounts: paid, shares: liquidity })
  emitPosition(host, owner, range, { change: -liquidity, reserves: left })
  return paid
}
