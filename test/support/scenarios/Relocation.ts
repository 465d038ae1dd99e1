import { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { ttlEntry, ttlKeyOf } from "../../../src/ledger/soroban/Life.ts"
import { strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { keyOf } from "../../../src/xdr/LedgerKeys.ts"
import { xdrBytes } from "../../../src/xdr/XdrBytes.ts"

/** A replacement of 32 bytes: the id of a contract, or the hash of its code. */
export interface Replacement {
  readonly from: Uint8Array
  readonly to: Uint8Array
}

/** One contract in place of another. */
export const inPlaceOf = (from: xdr.ScAddress, to: xdr.ScAddress): Replacement => ({ from: idOf(from), to: idOf(to) })

/** One code in place of another, by their hashes (hex). */
export const codeInPlaceOf = (from: string, to: string): Replacement => ({ from: Buffer.from(from, "hex"), to: Buffer.from(to, "hex") })

const idOf = (address: xdr.ScAddress): Uint8Array => {
  if (address.type !== "scAddressTypeContract") throw new RangeError("only contracts are moved")
  return address.contractId.toBytes()
}

/** The same bytes with each replacement; the same array where none applies. */
const replaced = (bytes: Uint8Array, replacements: ReadonlyArray<Replacement>): Uint8Array => {
  const found = Buffer.from(bytes)
  const places = replacements.flatMap(({ from, to }) => {
    const at: Array<readonly [number, Uint8Array]> = []
    for (let next = found.indexOf(from); next !== -1; next = found.indexOf(from, next + from.length)) at.push([next, to])
    return at
  })
  if (places.length === 0) return bytes
  const copy = Buffer.from(found)
  for (const [at, to] of places) copy.set(to, at)
  return copy
}

const changed = (entry: xdr.LedgerEntry, replacements: ReadonlyArray<Replacement>): xdr.LedgerEntry | null => {
  const bytes = xdrBytes(entry.data)
  const other = replaced(bytes, replacements)
  return other === bytes ? null : new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.fromXdr(other) })
}

const withLife = (entry: xdr.LedgerEntry, until: number): ReadonlyArray<xdr.LedgerEntry> => [entry, ttlEntry(keyOf(entry), until)]

/** A ledger with contracts at other addresses, replaced in all entries that they own or that name them. All of it lives up to a ledger. */
export const relocated = (state: LedgerState, replacements: ReadonlyArray<Replacement>, until: number): LedgerState => {
  const old = Array.from(state.entries()).filter(({ data }) => data.type === "contractData")
  const moves = old.flatMap((entry) => {
    const moved = changed(entry, replacements)
    return moved === null ? [] : [{ entry, moved }]
  })
  const gone = moves.flatMap(({ entry }) => [keyOf(entry), ttlKeyOf(keyOf(entry))])
  return state.delete(gone).set(moves.flatMap(({ moved }) => withLife(moved, until)))
}

/** A ledger with a copy of all entries of a contract, after replacements: at another address if its own is replaced, or else in place. */
export const copied = (
  state: LedgerState,
  original: xdr.ScAddress,
  replacements: ReadonlyArray<Replacement>,
  until: number
): LedgerState => {
  const contract = strkeyOf(original)
  const own = Array.from(state.entries()).filter(({ data }) =>
    data.type === "contractData" && strkeyOf(data.contractData.contract) === contract
  )
  return state.set(own.flatMap((entry) => withLife(changed(entry, replacements) ?? entry, until)))
}
