import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { u256 } from "../../stellar/ScValCodec.ts"
import { allAnswered, type LedgerView, type Unusable, valueIn } from "../kit/LedgerView.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"
import { mostTick, placeOf } from "./RangeMath.ts"
import type { Direction, TicksAhead, UsedTick } from "./RangeTrade.ts"

/**
 * Chunks of ticks that are read on either side of the price, the own one among them. Anyone may use ticks: a trade that goes further than
 * these is not quoted, and costs no more than that.
 */
export const mostChunks = 4

/** Bits of one map. */
const bits = 256

/** The maps of maps that any tick can lie in. */
const mapsOfMaps = [-1, 0] as const

/** Numbers of the bits that are set in a map, the lowest first. */
const setIn = (map: bigint, word: number): ReadonlyArray<number> =>
  Array.from({ length: bits }, (_, bit) => bit).filter((bit) => ((map >> BigInt(bit)) & 1n) === 1n).map((bit) => word * bits + bit)

const mapIn = (view: LedgerView, pool: ContractAddress, of: "ChunkBitmap" | "WordBitmap", word: number) =>
  Either.map(valueIn(view, pool, Keys.tickMap(of, word), u256), (map) => setIn(map ?? 0n, word))

const asked = (pool: ContractAddress, of: "ChunkBitmap" | "WordBitmap", words: ReadonlyArray<number>) =>
  words.map((word) => contractDataKey(pool, Keys.tickMap(of, word)))

/** Chunks with used ticks around one: all of its own map, and of the next map on a side where that has too few. */
const chunksAround = (view: LedgerView, pool: ContractAddress, own: number): Either.Either<ReadonlyArray<number>, Unusable> =>
  Either.gen(function*() {
    const word = Math.floor(own / bits)
    yield* allAnswered(view, [...asked(pool, "ChunkBitmap", [word]), ...asked(pool, "WordBitmap", mapsOfMaps)])
    const here = yield* mapIn(view, pool, "ChunkBitmap", word)
    const words = (yield* Either.all(mapsOfMaps.map((one) => mapIn(view, pool, "WordBitmap", one)))).flat()
    const [fewBelow, fewAbove] = [here.filter((one) => one <= own), here.filter((one) => one >= own)].map((some) =>
      some.length < mostChunks
    )
    const further = [
      ...(fewBelow === true ? words.filter((one) => one < word).slice(-1) : []),
      ...(fewAbove === true ? words.filter((one) => one > word).slice(0, 1) : [])
    ]
    yield* allAnswered(view, asked(pool, "ChunkBitmap", further))
    const there = yield* Either.all(further.map((one) => mapIn(view, pool, "ChunkBitmap", one)))
    return [...here, ...there.flat()].toSorted((left, right) => left - right)
  })

const withinTicks = (tick: number): number => Math.min(mostTick, Math.max(-mostTick, tick))

const usedIn = (view: LedgerView, pool: ContractAddress, chunk: number, spacing: number) =>
  Either.map(
    valueIn(view, pool, Keys.tickChunk(chunk), Entries.TickChunk),
    (ticks): ReadonlyArray<UsedTick> =>
      (ticks ?? []).flatMap(([, , gross, net], at) => gross > 0n ? [{ tick: withinTicks((chunk * 16 + at) * spacing), net }] : [])
  )

/** Where a pool stands, and between which ticks all its liquidity lies. */
export interface TickStanding {
  readonly tick: number
  readonly spacing: number
  readonly lowest: number
  readonly highest: number
}

/** The used ticks on either side of the price: those at it or below, and those above. */
export const ticksAhead = (
  view: LedgerView,
  pool: ContractAddress,
  { highest, lowest, spacing, tick }: TickStanding
): Either.Either<{ readonly [One in Direction]: TicksAhead }, Unusable> =>
  Either.gen(function*() {
    const { chunk: own } = placeOf(tick, spacing)
    const chunks = yield* chunksAround(view, pool, own)
    const near = [...chunks.filter((one) => one <= own).slice(-mostChunks), ...chunks.filter((one) => one > own).slice(0, mostChunks)]
    yield* allAnswered(view, near.map((chunk) => contractDataKey(pool, Keys.tickChunk(chunk))))
    const used = (yield* Either.all(near.map((chunk) => usedIn(view, pool, chunk, spacing)))).flat()
    const [down, up] = [used.filter((one) => one.tick <= tick).toReversed(), used.filter((one) => one.tick > tick)]
    return {
      down: { ticks: down, isWhole: (down.at(-1)?.tick ?? mostTick) <= lowest || tick < lowest },
      up: { ticks: up, isWhole: (up.at(-1)?.tick ?? -mostTick) >= highest || tick >= highest }
    }
  })
