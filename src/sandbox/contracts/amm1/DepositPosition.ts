import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { pay, take } from "../HeldTokens.ts"
import { asAmounts } from "./Amounts.ts"
import { concentratedPlaneData } from "./ConcentratedPlane.ts"
import {
  isRange,
  poolReserves,
  poolTokens,
  readPosition,
  readSlot,
  readUser,
  setPoolReserves,
  slotVal,
  writePosition,
  writeUser
} from "./ConcentratedStore.ts"
import { amountAt, flagAt } from "./Instance.ts"
import { tellPlane } from "./Plane.ts"
import { ConcentratedError, PoolError } from "./PoolError.ts"
import { emitLiquidity } from "./PoolEvents.ts"
import { concentratedKeys, poolKeys } from "./PoolKeys.ts"
import { changeOwned, changeTicks, changeWorking } from "./PositionChange.ts"
import { emitPosition } from "./PositionEvents.ts"
import { newPosition, withFees } from "./PositionFees.ts"
import { type Amounts, amountsAt, liquidityFor, type Range } from "./RangeAmounts.ts"
import { requireRange } from "./Ranges.ts"
import { settleAll } from "./RewardFunctions.ts"
import { sqrtPriceOf, tickAt } from "./SqrtPrice.ts"
import { reweigh, weightedHolder } from "./WeightedLiquidity.ts"

/** How many ranges an owner may have. */
const mostRanges = 20

/** What an owner deposits into a range, and the least liquidity it must yield. */
export interface Deposit {
  readonly owner: xdr.ScAddress
  readonly range: Range
  readonly given: ReadonlyArray<xdr.ScVal>
  readonly least: bigint
}

/** The first deposit sets the price: at which what it brings is worth the same. */
const setFirstPrice = (host: ContractHost, { lower, upper }: Range, [amount0, amount1]: Amounts): void => {
  if (amountAt(host, concentratedKeys.rawLiquidity) > 0n) return
  if (amount0 === 0n || amount1 === 0n) host.fail(PoolError.allCoinsRequired)
  const sqrtPrice = sqrtPriceOf(host, amount0, amount1)
  const tick = tickAt(host, sqrtPrice)
  if (tick < lower || tick >= upper) host.fail(ConcentratedError.tickOutOfBounds)
  host.instance.set(concentratedKeys.slot0, slotVal({ sqrtPrice, tick }))
}

/** Takes everything that was offered, and gives back what is too much. */
const takeBoth = (host: ContractHost, owner: xdr.ScAddress, wanted: Amounts, used: Amounts): void => {
  const tokens = [...poolTokens(host).entries()]
  for (const [at, token] of tokens) if ((wanted[at] ?? 0n) > 0n) take(host, token, owner, wanted[at] ?? 0n)
  for (const [at, token] of tokens) {
    const back = (wanted[at] ?? 0n) - (used[at] ?? 0n)
    if (back > 0n) pay(host, token, owner, back)
  }
}

const noteRange = (host: ContractHost, owner: xdr.ScAddress, range: Range): void => {
  const state = readUser(host, owner)
  if (state.ranges.some(isRange(range))) return
  if (state.ranges.length >= mostRanges) host.fail(ConcentratedError.tooManyPositions)
  writeUser(host, owner, { ...state, ranges: [...state.ranges, range] })
}

const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/** Puts liquidity into a range, as much as what was offered makes at the price of now. */
export const depositPosition = (host: ContractHost, { given, least, owner, range }: Deposit) => {
  host.requireAuth(owner)
  if (flagAt(host, poolKeys.depositKilled)) host.fail(PoolError.depositKilled)
  if (given.length !== 2) host.fail(PoolError.wrongVectorSize)
  const [wanted0 = 0n, wanted1 = 0n] = asAmounts(host, given)
  const wanted: Amounts = [wanted0, wanted1]
  if (wanted0 === 0n && wanted1 === 0n) host.fail(PoolError.zeroAmount)
  requireRange(host, range)
  setFirstPrice(host, range, wanted)
  reweigh(host, owner)
  settleAll(host, weightedHolder(host, owner))
  const { sqrtPrice, tick } = readSlot(host)
  const liquidity = liquidityFor(sqrtPrice, range, wanted)
  if (liquidity === 0n || liquidity < least) host.fail(PoolError.minimumNotMet)
  const [needed0, needed1] = amountsAt(sqrtPrice, range, liquidity, "up")
  const used: Amounts = [smaller(needed0, wanted0), smaller(needed1, wanted1)]
  takeBoth(host, owner, wanted, used)
  const [held0, held1] = poolReserves(host)
  const reserves: Amounts = [held0 + used[0], held1 + used[1]]
  setPoolReserves(host, reserves)
  changeTicks(host, range, liquidity)
  const before = readPosition(host, owner, range) ?? newPosition(host, range, tick)
  const settled = withFees(host, before, range, tick)
  writePosition(host, owner, range, { ...settled, liquidity: settled.liquidity + liquidity })
  noteRange(host, owner, range)
  changeWorking(host, range, liquidity)
  changeOwned(host, owner, liquidity)
  tellPlane(host, concentratedPlaneData(host))
  emitLiquidity(host, "deposit_liquidity", { tokens: poolTokens(host), amounts: used, shares: liquidity })
  emitPosition(host, owner, range, { change: liquidity, reserves })
  return { used, liquidity }
}
