import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asI32, asU128, asU32, field, struct, u128, u128Max, u256 } from "../../../ledger/soroban/Values.ts"
import { pay, take } from "../HeldTokens.ts"
import { concentratedPlaneData } from "./ConcentratedPlane.ts"
import { poolReserves, poolTokens, readSlot, setPoolReserves, type Slot, slotVal, tickSpacing } from "./ConcentratedStore.ts"
import { amountAt, flagAt, stored, storedOr } from "./Instance.ts"
import { tellPlane } from "./Plane.ts"
import { ConcentratedError, PoolError } from "./PoolError.ts"
import { emitReserves, emitTrade } from "./PoolEvents.ts"
import { concentratedKeys, poolKeys } from "./PoolKeys.ts"
import { emitState } from "./PositionEvents.ts"
import { less, lessOrNone, mulDiv } from "./Products.ts"
import { highestPrice, highestTick, lowestPrice, lowestTick, sqrtPriceAt, tickAt } from "./SqrtPrice.ts"
import { swapStep } from "./SwapStep.ts"
import { globalGrowth } from "./TickLiquidity.ts"
import { type Direction, firstChunkBeyond, nextChunkInMap, tickOf, usedIn } from "./TickMaps.ts"
import { numberOf, placeOf, readChunk, type Tick, ticksPerChunk, writeChunk } from "./Ticks.ts"

const feeParts = 10_000n

/** Place in the pool's order of the token that is sold. */
const soldAt = (direction: Direction): 0 | 1 => (direction === "down" ? 0 : 1)

/** The next used tick: at the one the price stands at or below it, or above it. */
const nextUsedTick = (host: ContractHost, tick: number, direction: Direction): number => {
  const spacing = tickSpacing(host)
  const number = numberOf(tick, spacing) + (direction === "down" ? 0 : 1)
  const { at, chunk } = placeOf(number)
  const own = (readChunk(host, chunk) ?? []).map((one, place) => ({ place, isUsed: one.gross > 0n }))
  const ahead = own.filter(({ isUsed, place }) => isUsed && (direction === "down" ? place <= at : place >= at))
  const here = direction === "down" ? ahead.at(-1) : ahead.at(0)
  if (here !== undefined) return tickOf(chunk * ticksPerChunk + here.place, spacing)
  const further = nextChunkInMap(host, chunk, direction) ?? firstChunkBeyond(host, chunk, direction) ?? host.trap()
  return tickOf(further * ticksPerChunk + usedIn(readChunk(host, further) ?? [], direction), spacing)
}

const changed = (host: ContractHost, tick: number, change: (before: Tick) => Tick): Tick => {
  const { at, chunk } = placeOf(numberOf(tick, tickSpacing(host)))
  const ticks = readChunk(host, chunk) ?? host.trap()
  const after = change(ticks[at] ?? host.trap())
  writeChunk(host, chunk, ticks.with(at, after))
  return after
}

/** Goes round at 256 bits. */
const round = (growth: bigint): bigint => BigInt.asUintN(256, growth)

const setGrowth = (host: ContractHost, direction: Direction, growth: bigint): void =>
  host.instance.set(direction === "down" ? concentratedKeys.feeGrowth0 : concentratedKeys.feeGrowth1, u256(growth))

/** Shares a fee among liquidity; what a unit of it gains. */
const earn = (host: ContractHost, direction: Direction, fee: bigint, liquidity: bigint): bigint => {
  if (fee === 0n || liquidity === 0n) return 0n
  const gained = mulDiv(fee, 1n << 128n, liquidity)
  setGrowth(host, direction, round(globalGrowth(host)[soldAt(direction)] + gained))
  return gained
}

const protocolPart = (host: ContractHost, fee: bigint): bigint =>
  mulDiv(fee, BigInt(storedOr(host, concentratedKeys.protocolFeeFraction, asU32, 5_000)), feeParts)

const addProtocolFee = (host: ContractHost, direction: Direction, fee: bigint): void => {
  const own = stored(
    host,
    concentratedKeys.protocolFees,
    (value) => [asU128(field(value, "token0")), asU128(field(value, "token1"))] as const
  )
  const [token0, token1] = direction === "down" ? [own[0] + fee, own[1]] : [own[0], own[1] + fee]
  host.instance.set(concentratedKeys.protocolFees, struct({ token0: u128(token0), token1: u128(token1) }))
}

/** Passes a tick: what was earned lies on its other side now, and liquidity begins or ends. */
const passed = (host: ContractHost, tick: number, liquidity: bigint, direction: Direction): bigint => {
  const all = globalGrowth(host)
  const { net } = changed(host, tick, (before) => ({
    ...before,
    growth: [round(all[0] - before.growth[0]), round(all[1] - before.growth[1])]
  }))
  const after = direction === "down" ? liquidity - net : liquidity + net
  if (after < 0n) host.fail(ConcentratedError.underflow)
  return after > u128Max ? u128Max : after
}

/** What a swap came to. */
interface SwapOutcome {
  readonly slot: Slot
  readonly liquidity: bigint
  readonly left: bigint
  readonly bought: bigint
  readonly fee: bigint
  readonly protocolFee: bigint
  /** Liquidity that worked last. */
  readonly working: bigint
  /** The tick that was passed last; null: none was. */
  readonly crossed: number | null
}

const isOver = (host: ContractHost, { tick }: Slot, direction: Direction): boolean =>
  direction === "down"
    ? tick < storedOr(host, concentratedKeys.lowestTick, asI32, highestTick)
    : tick >= storedOr(host, concentratedKeys.highestTick, asI32, lowestTick)

const limitOf = (direction: Direction): bigint => (direction === "down" ? lowestPrice + 1n : highestPrice - 1n)

const advanced = (host: ContractHost, so: SwapOutcome, direction: Direction): SwapOutcome => {
  const { slot: { sqrtPrice, tick } } = so
  const next = nextUsedTick(host, tick, direction)
  const [at, limit] = [sqrtPriceAt(next), limitOf(direction)]
  const target = (direction === "down" ? at < limit : at > limit) ? limit : at
  const fee = stored(host, concentratedKeys.fee, asU32)
  const step = swapStep(host, { price: sqrtPrice, target, liquidity: so.liquidity, left: so.left, fee, direction })
  const protocolFee = protocolPart(host, step.fee)
  earn(host, direction, step.fee - protocolFee, so.liquidity)
  const isCrossed = step.price === at
  const moved = step.price === sqrtPrice ? tick : tickAt(host, step.price)
  const beyond = direction === "down" ? Math.max(next - 1, lowestTick) : next
  return {
    slot: { sqrtPrice: step.price, tick: isCrossed ? beyond : moved },
    liquidity: isCrossed ? passed(host, next, so.liquidity, direction) : so.liquidity,
    left: lessOrNone(lessOrNone(so.left, step.sold), step.fee),
    bought: so.bought + step.bought,
    fee: so.fee + step.fee,
    protocolFee: so.protocolFee + protocolFee,
    working: so.liquidity > 0n ? so.liquidity : so.working,
    crossed: isCrossed ? next : so.crossed
  }
}

const traded = (host: ContractHost, amount: bigint, direction: Direction): SwapOutcome => {
  const slot = readSlot(host)
  const liquidity = amountAt(host, concentratedKeys.liquidity)
  let so: SwapOutcome = { slot, liquidity, left: amount, bought: 0n, fee: 0n, protocolFee: 0n, working: liquidity, crossed: null }
  while (so.left > 0n && so.slot.sqrtPrice !== limitOf(direction) && !isOver(host, so.slot, direction)) so = advanced(host, so, direction)
  addProtocolFee(host, direction, so.protocolFee)
  host.instance.set(concentratedKeys.liquidity, u128(so.liquidity))
  host.instance.set(concentratedKeys.slot0, slotVal(so.slot))
  return so
}

/** What could not be sold stays with the pool: a part is the protocol's, the rest is earned by the liquidity that worked last. */
const keepRest = (host: ContractHost, { crossed, left, working }: SwapOutcome, direction: Direction): bigint => {
  if (left === 0n || working === 0n) return 0n
  const ofProtocol = protocolPart(host, left)
  addProtocolFee(host, direction, ofProtocol)
  const gained = earn(host, direction, left - ofProtocol, working)
  const at = soldAt(direction)
  if (crossed !== null && gained > 0n) {
    changed(host, crossed, (before) => {
      const [first, second] = before.growth
      return { ...before, growth: at === 0 ? [round(first + gained), second] : [first, round(second + gained)] }
    })
  }
  return left - ofProtocol
}

const directionOf = (host: ContractHost, from: number, to: number): Direction => {
  if (from === to) host.fail(PoolError.sameToken)
  if (from > 1) host.fail(PoolError.inTokenOutOfBounds)
  if (to > 1) host.fail(PoolError.outTokenOutOfBounds)
  return from === 0 ? "down" : "up"
}

/** What someone wants to sell, by places in the pool's order, and the least that it must bring. */
export interface Sale {
  readonly user: xdr.ScAddress
  readonly from: number
  readonly to: number
  readonly amount: bigint
  readonly least: bigint
}

/** Sells an exact amount through the ticks that lie ahead. The pool takes all of it, also what it can sell nothing for. */
export const swapThroughTicks = (host: ContractHost, { amount, from, least, to, user }: Sale): bigint => {
  const direction = directionOf(host, from, to)
  host.requireAuth(user)
  if (flagAt(host, poolKeys.swapKilled)) host.fail(PoolError.swapKilled)
  if (amount === 0n) host.fail(PoolError.zeroAmount)
  if (amountAt(host, concentratedKeys.rawLiquidity) === 0n) host.fail(PoolError.emptyPool)
  const so = traded(host, amount, direction)
  if (so.left === amount) host.fail(ConcentratedError.insufficientLiquidity)
  const tokens = poolTokens(host)
  const [sold, bought] = direction === "down" ? tokens : [tokens[1], tokens[0]]
  take(host, sold, user, amount)
  if (so.bought > 0n) pay(host, bought, user, so.bought)
  const used = amount - so.left
  const gained = used - so.protocolFee + keepRest(host, so, direction)
  const [first, second] = poolReserves(host)
  const after = direction === "down"
    ? [first + gained, less(second, so.bought)] as const
    : [less(first, so.bought), second + gained] as const
  setPoolReserves(host, after)
  tellPlane(host, concentratedPlaneData(host))
  emitTrade(host, { user, sold, bought, amounts: [used, so.bought, so.fee] })
  emitReserves(host, after)
  emitState(host)
  if (so.bought < least) host.fail(PoolError.minimumNotMet)
  return so.bought
}
