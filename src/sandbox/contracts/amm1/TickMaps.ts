import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asU256, i32, u256, variant } from "../../../ledger/soroban/Values.ts"
import { readAndExtend, writeAndExtend } from "./ExtendedEntries.ts"
import { highestTick, lowestTick } from "./SqrtPrice.ts"
import { readChunk, type Tick, ticksPerChunk } from "./Ticks.ts"

/** Bits of one map. */
const bitsPerMap = 256

/** One bit for each chunk that has a used tick. */
const chunkMapKey = (word: number): xdr.ScVal => variant("ChunkBitmap", i32(word))

/** One bit for each map of chunks that is not empty. */
const wordMapKey = (word: number): xdr.ScVal => variant("WordBitmap", i32(word))

const readMap = (host: ContractHost, key: xdr.ScVal): bigint => {
  const value = readAndExtend(host, key)
  return value === undefined ? 0n : asU256(value)
}

const placed = (number: number): { readonly word: number; readonly bit: number } => {
  const word = Math.floor(number / bitsPerMap)
  return { word, bit: number - word * bitsPerMap }
}

const withBit = (map: bigint, bit: number, isSet: boolean): bigint => {
  const one = 1n << BigInt(bit)
  return isSet ? map | one : map & ~one
}

/** Which way ticks are looked for. */
export type Direction = "down" | "up"

const nextBit = (map: bigint, from: number, direction: Direction): number | undefined => {
  const step = direction === "down" ? -1 : 1
  for (let bit = from; bit >= 0 && bit < bitsPerMap; bit += step) if (((map >> BigInt(bit)) & 1n) === 1n) return bit
  return undefined
}

const start = { down: bitsPerMap - 1, up: 0 } as const

/** Notes whether a chunk has a used tick. */
export const markChunk = (host: ContractHost, chunk: number, isUsed: boolean): void => {
  const { bit, word } = placed(chunk)
  const before = readMap(host, chunkMapKey(word))
  const after = withBit(before, bit, isUsed)
  writeAndExtend(host, chunkMapKey(word), u256(after))
  if ((before === 0n) === (after === 0n)) return
  const above = placed(word)
  writeAndExtend(host, wordMapKey(above.word), u256(withBit(readMap(host, wordMapKey(above.word)), above.bit, after !== 0n)))
}

/** Position of the next used tick in a chunk. */
export const usedIn = (ticks: ReadonlyArray<Tick>, direction: Direction): number =>
  direction === "down" ? ticks.findLastIndex(({ gross }) => gross > 0n) : ticks.findIndex(({ gross }) => gross > 0n)

/** The next chunk with a used tick in the same map, beyond the given one. */
export const nextChunkInMap = (host: ContractHost, chunk: number, direction: Direction): number | undefined => {
  const { bit, word } = placed(chunk)
  const map = readMap(host, chunkMapKey(word))
  const from = direction === "down" ? bit - 1 : bit + 1
  if (from < 0 || from >= bitsPerMap) return undefined
  const found = nextBit(map, from, direction)
  return found === undefined ? undefined : word * bitsPerMap + found
}

/** The first chunk with a used tick in the next map that is not empty; at most one map of maps further. */
export const firstChunkBeyond = (host: ContractHost, chunk: number, direction: Direction): number | undefined => {
  const { bit, word } = placed(placed(chunk).word)
  const from = direction === "down" ? bit - 1 : bit + 1
  const near = from < 0 || from >= bitsPerMap ? undefined : nextBit(readMap(host, wordMapKey(word)), from, direction)
  const other = direction === "down" ? word - 1 : word + 1
  const far = near === undefined ? nextBit(readMap(host, wordMapKey(other)), start[direction], direction) : undefined
  const found = near === undefined ? far : near
  if (found === undefined) return undefined
  return extremeChunk(host, (near === undefined ? other : word) * bitsPerMap + found, direction)
}

const extremeChunk = (host: ContractHost, word: number, direction: Direction): number | undefined => {
  const found = nextBit(readMap(host, chunkMapKey(word)), start[direction], direction)
  return found === undefined ? undefined : word * bitsPerMap + found
}

/** A tick by its number. */
export const tickOf = (number: number, spacing: number): number => Math.min(highestTick, Math.max(lowestTick, number * spacing))

/**
 * The highest ("down") or lowest ("up") used tick once the one that was it is used no more: in its own map, then beyond.
 * Where none is left, the far end of all ticks.
 */
export const extremeTick = (host: ContractHost, chunk: number, spacing: number, direction: Direction): number => {
  const own = extremeChunk(host, placed(chunk).word, direction)
  const found = own ?? firstChunkBeyond(host, chunk, direction)
  const at = found === undefined ? -1 : usedIn(readChunk(host, found) ?? [], direction)
  if (found === undefined || at === -1) return direction === "down" ? lowestTick : highestTick
  return tickOf(found * ticksPerChunk + at, spacing)
}
