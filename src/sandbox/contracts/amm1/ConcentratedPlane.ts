import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asU32, u128Max } from "../../../ledger/soroban/Values.ts"
import { poolReserves, readSlot, type Slot, tickSpacing } from "./ConcentratedStore.ts"
import { amountAt, stored } from "./Instance.ts"
import type { PlaneData } from "./Plane.ts"
import { concentratedKeys } from "./PoolKeys.ts"
import { lessOrNone } from "./Products.ts"
import { amount0Between, amount1Between, type Amounts, amountsAt } from "./RangeAmounts.ts"
import { fullRange } from "./Ranges.ts"
import { highestTick, lowestTick, sqrtPriceAt } from "./SqrtPrice.ts"
import { type Direction, firstChunkBeyond, nextChunkInMap, tickOf, usedIn } from "./TickMaps.ts"
import { numberOf, placeOf, readChunk, type Tick, ticksPerChunk } from "./Ticks.ts"

const version = 1n
const fewestSteps = 8
const mostSteps = 20
/** Ticks that all steps together shall reach over. */
const distance = 5_700

/** Steps are one spacing wide, then two, then three: this many spacings lie in so many of them. */
const spacingsIn = (steps: number): number => (steps * (steps + 1)) / 2

const stepsFor = (spacing: number): number => {
  let steps = fewestSteps
  while (steps < mostSteps && spacingsIn(steps) * spacing < distance) steps += 1
  return steps
}

/** What is read of a pool's ticks, each thing once, with what else the steps need. */
interface TickState {
  readonly spacing: number
  /** Liquidity over the full range. */
  readonly wide: bigint
  readonly chunk: (chunk: number) => ReadonlyArray<Tick> | undefined
  readonly nextInMap: (chunk: number, direction: Direction) => number | undefined
  readonly firstBeyond: (chunk: number, direction: Direction) => number | undefined
}

const remembered = <Value>(read: (chunk: number) => Value): (chunk: number) => Value => {
  const known = new Map<number, { readonly value: Value }>()
  return (chunk) => {
    const found = known.get(chunk) ?? { value: read(chunk) }
    known.set(chunk, found)
    return found.value
  }
}

const surfaceOf = (host: ContractHost): TickState => {
  const both = (read: (host: ContractHost, chunk: number, direction: Direction) => number | undefined) => {
    const [down, up] = [remembered((chunk) => read(host, chunk, "down")), remembered((chunk) => read(host, chunk, "up"))]
    return (chunk: number, direction: Direction) => (direction === "down" ? down(chunk) : up(chunk))
  }
  return {
    spacing: tickSpacing(host),
    wide: amountAt(host, concentratedKeys.fullRangeLiquidity),
    chunk: remembered((chunk) => readChunk(host, chunk)),
    nextInMap: both(nextChunkInMap),
    firstBeyond: both(firstChunkBeyond)
  }
}

interface InitializedTick {
  readonly number: number
  readonly net: bigint
}

/** Which way the price goes, from where to where, by numbers of ticks. */
interface TickWalk {
  readonly direction: Direction
  readonly from: number
  readonly to: number
}

const within = ({ direction, to }: TickWalk, number: number): boolean => (direction === "down" ? number >= to : number <= to)

const usedAt = (chunk: number, at: number, ticks: ReadonlyArray<Tick>): InitializedTick => ({
  number: chunk * ticksPerChunk + at,
  net: ticks[at]?.net ?? 0n
})

/** The next used tick on a stretch: in the same chunk, in another of the same map, in the next map. */
const nextUsed = (surface: TickState, stretch: TickWalk): InitializedTick | undefined => {
  const { direction, from } = stretch
  const { at, chunk } = placeOf(direction === "down" ? from : from + 1)
  const own = surface.chunk(chunk) ?? []
  const isAhead = (place: number): boolean => (direction === "down" ? place <= at : place >= at)
  const here = own.map((tick, place) => ({ tick, place })).filter(({ place, tick }) => tick.gross > 0n && isAhead(place))
  const first = direction === "down" ? here.at(-1) : here.at(0)
  const candidates = [
    () => (first === undefined ? undefined : usedAt(chunk, first.place, own)),
    () => inChunk(surface, surface.nextInMap(chunk, direction), direction),
    () => inChunk(surface, surface.firstBeyond(chunk, direction), direction)
  ]
  for (const candidate of candidates) {
    const found = candidate()
    if (found !== undefined && within(stretch, found.number)) return found
  }
  return undefined
}

const inChunk = (surface: TickState, chunk: number | undefined, direction: Direction): InitializedTick | undefined => {
  const ticks = chunk === undefined ? undefined : surface.chunk(chunk)
  const at = ticks === undefined ? -1 : usedIn(ticks, direction)
  return chunk === undefined || ticks === undefined || at === -1 ? undefined : usedAt(chunk, at, ticks)
}

/** What moving the price takes in, and what it gives out. */
const moved = (from: bigint, to: bigint, liquidity: bigint, direction: Direction): Amounts =>
  direction === "down"
    ? [amount0Between(to, from, liquidity, "up"), amount1Between(to, from, liquidity, "down")]
    : [amount1Between(from, to, liquidity, "up"), amount0Between(from, to, liquidity, "down")]

const capped = (value: bigint): bigint => (value > u128Max ? u128Max : value)

const sum = (left: Amounts, right: Amounts): Amounts => [capped(left[0] + right[0]), capped(left[1] + right[1])]

/** Liquidity after a tick was passed; what goes over the full range does not count here. */
const passed = ({ spacing, wide }: TickState, liquidity: bigint, { net, number }: InitializedTick, direction: Direction): bigint => {
  const full = fullRange(spacing)
  const begins = number === numberOf(full.lower, spacing) ? wide : 0n
  const ends = begins === 0n && number === numberOf(full.upper, spacing) ? wide : 0n
  const change = net - begins + ends
  const after = direction === "down" ? liquidity - change : liquidity + change
  return after < 0n ? 0n : capped(after)
}

interface Cursor {
  readonly price: bigint
  readonly number: number
  readonly liquidity: bigint
}

const stepTo = (surface: TickState, cursor: Cursor, { direction, to }: Omit<TickWalk, "from">, target: number) => {
  const { spacing } = surface
  const end = sqrtPriceAt(target)
  let { liquidity, number, price } = cursor
  let amounts: Amounts = [0n, 0n]
  for (;;) {
    const used = nextUsed(surface, { direction, from: number, to })
    if (used === undefined) break
    const tick = tickOf(used.number, spacing)
    if (direction === "down" ? tick < target : tick > target) break
    const at = sqrtPriceAt(tick)
    amounts = sum(amounts, moved(price, at, liquidity, direction))
    liquidity = passed(surface, liquidity, used, direction)
    price = at
    number = direction === "down" ? numberOf(tick, spacing) - 1 : numberOf(tick, spacing)
    if (amounts.includes(u128Max)) break
  }
  if (price !== end && liquidity > 0n && !amounts.includes(u128Max)) amounts = sum(amounts, moved(price, end, liquidity, direction))
  return { amounts, cursor: { price: end, number: direction === "down" ? to : to - 1, liquidity } }
}

/** What each step of the price takes in and gives out, without what lies over the full range. */
const stepsOf = (surface: TickState, { sqrtPrice, tick }: Slot, direction: Direction, liquidity: bigint): ReadonlyArray<bigint> => {
  const { spacing } = surface
  const count = stepsFor(spacing)
  const start = numberOf(tick, spacing)
  let cursor: Cursor = { price: sqrtPrice, number: start, liquidity }
  let isOver = sqrtPrice === 0n
  const all: Array<bigint> = []
  for (let step = 1; step <= count; step += 1) {
    const to = direction === "down" ? start - spacingsIn(step) : start + spacingsIn(step) + 1
    const target = tickOf(to, spacing)
    if (isOver || sqrtPriceAt(target) === cursor.price) {
      isOver = true
      all.push(0n, 0n)
      continue
    }
    const taken = stepTo(surface, cursor, { direction, to }, target)
    all.push(...taken.amounts)
    cursor = taken.cursor
    isOver = target <= lowestTick || target >= highestTick
  }
  return all
}

/** What a concentrated pool tells the plane: what it holds, what of that goes over the full range, and both ways step by step. */
export const concentratedPlaneData = (host: ContractHost): PlaneData => {
  const surface = surfaceOf(host)
  const { spacing, wide } = surface
  const slot = readSlot(host)
  const narrow = lessOrNone(amountAt(host, concentratedKeys.liquidity), wide)
  const wideAmounts = wide === 0n ? [0n, 0n] : amountsAt(slot.sqrtPrice, fullRange(spacing), wide, "down")
  return {
    type: "concentrated",
    parameters: [version, BigInt(stored(host, concentratedKeys.fee, asU32)), BigInt(spacing), BigInt(stepsFor(spacing))],
    reserves: [
      ...poolReserves(host),
      ...wideAmounts,
      ...stepsOf(surface, slot, "down", narrow),
      ...stepsOf(surface, slot, "up", narrow)
    ]
  }
}
