import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asI128, asU128, asU256, asVec, i128, i32, u128, u256, variant, vec } from "../../../ledger/soroban/Values.ts"
import { readAndExtend, writeAndExtend } from "./ExtendedEntries.ts"

/** Ticks in a chunk: they are kept together. */
export const ticksPerChunk = 16

/** What happens at a tick where positions begin or end. */
export interface Tick {
  /** Fees earned on the other side of the tick, of each token, with 128 binary places. */
  readonly growth: readonly [bigint, bigint]
  /** Liquidity of all positions that begin or end here. */
  readonly gross: bigint
  /** By what working liquidity changes where the price goes up through the tick. */
  readonly net: bigint
}

const emptyTick: Tick = { growth: [0n, 0n], gross: 0n, net: 0n }

const chunkKey = (chunk: number): xdr.ScVal => variant("TickChunk", i32(chunk))

const tickVal = ({ growth, gross, net }: Tick): xdr.ScVal => vec(u256(growth[0]), u256(growth[1]), u128(gross), i128(net))

const asTick = (value: xdr.ScVal): Tick => {
  const [growth0, growth1, gross, net] = asVec(value)
  return growth0 === undefined || growth1 === undefined || gross === undefined || net === undefined
    ? emptyTick
    : { growth: [asU256(growth0), asU256(growth1)], gross: asU128(gross), net: asI128(net) }
}

/** The ticks of a chunk; undefined where none was ever used. */
export const readChunk = (host: ContractHost, chunk: number): ReadonlyArray<Tick> | undefined => {
  const value = readAndExtend(host, chunkKey(chunk))
  return value === undefined ? undefined : asVec(value).map(asTick)
}

export const writeChunk = (host: ContractHost, chunk: number, ticks: ReadonlyArray<Tick>): void =>
  writeAndExtend(host, chunkKey(chunk), vec(...ticks.map(tickVal)))

export const emptyChunk = (): ReadonlyArray<Tick> => Array.from({ length: ticksPerChunk }, () => emptyTick)

/** Number of a tick among those that may be used. */
export const numberOf = (tick: number, spacing: number): number => Math.floor(tick / spacing)

/** Where a tick is kept, by its number. */
export const placeOf = (number: number): { readonly chunk: number; readonly at: number } => {
  const chunk = Math.floor(number / ticksPerChunk)
  return { chunk, at: number - chunk * ticksPerChunk }
}

export const readTick = (host: ContractHost, tick: number, spacing: number): Tick => {
  const { at, chunk } = placeOf(numberOf(tick, spacing))
  return readChunk(host, chunk)?.[at] ?? emptyTick
}
