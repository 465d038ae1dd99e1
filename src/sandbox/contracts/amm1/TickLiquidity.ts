import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asI32, asU256, i32, u128Max } from "../../../ledger/soroban/Values.ts"
import { readSlot, tickSpacing } from "./ConcentratedStore.ts"
import { stored, storedOr } from "./Instance.ts"
import { ConcentratedError } from "./PoolError.ts"
import { concentratedKeys } from "./PoolKeys.ts"
import { highestTick, lowestTick } from "./SqrtPrice.ts"
import { extremeTick, markChunk } from "./TickMaps.ts"
import { emptyChunk, numberOf, placeOf, readChunk, type Tick, writeChunk } from "./Ticks.ts"

/** The most liquidity that may begin or end at one tick. */
const mostPerTick = (spacing: number): bigint => u128Max / BigInt(Math.trunc((highestTick - lowestTick) / spacing) + 1)

/** Fees all liquidity has earned so far, of each token, with 128 binary places. */
export const globalGrowth = (host: ContractHost): readonly [bigint, bigint] => [
  stored(host, concentratedKeys.feeGrowth0, asU256),
  stored(host, concentratedKeys.feeGrowth1, asU256)
]

const growthOf = (host: ContractHost, tick: number, before: Tick, gross: bigint): Tick["growth"] => {
  if (gross === 0n) return [0n, 0n]
  return before.gross === 0n && tick <= readSlot(host).tick ? globalGrowth(host) : before.growth
}

/** Notes the lowest and highest used ticks after one came into use or went out of it. */
const noteEnds = (host: ContractHost, tick: number, chunk: number, isUsed: boolean): void => {
  const lowest = storedOr(host, concentratedKeys.lowestTick, asI32, highestTick)
  const highest = storedOr(host, concentratedKeys.highestTick, asI32, lowestTick)
  const spacing = tickSpacing(host)
  if (isUsed) {
    if (tick < lowest) host.instance.set(concentratedKeys.lowestTick, i32(tick))
    if (tick > highest) host.instance.set(concentratedKeys.highestTick, i32(tick))
    return
  }
  if (tick === lowest) host.instance.set(concentratedKeys.lowestTick, i32(extremeTick(host, chunk, spacing, "up")))
  if (tick === highest) host.instance.set(concentratedKeys.highestTick, i32(extremeTick(host, chunk, spacing, "down")))
}

/** Adds to the liquidity that begins or ends at a tick, or takes from it. */
export const changeTick = (host: ContractHost, tick: number, change: bigint, end: "lower" | "upper"): void => {
  const spacing = tickSpacing(host)
  const { at, chunk } = placeOf(numberOf(tick, spacing))
  const ticks = readChunk(host, chunk) ?? emptyChunk()
  const before = ticks[at] ?? host.trap()
  const gross = before.gross + change
  if (gross < 0n) host.fail(ConcentratedError.underflow)
  if (change >= 0n && gross > mostPerTick(spacing)) host.fail(ConcentratedError.overflow)
  const after = { growth: growthOf(host, tick, before, gross), gross, net: before.net + (end === "upper" ? -change : change) }
  const changed = ticks.with(at, after)
  writeChunk(host, chunk, changed)
  if ((before.gross > 0n) === (gross > 0n)) return
  if (gross > 0n || changed.every((other) => other.gross === 0n)) markChunk(host, chunk, gross > 0n)
  noteEnds(host, tick, chunk, gross > 0n)
}
