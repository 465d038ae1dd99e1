import { xdr } from "@stellar/stellar-sdk"
import type { Lie } from "./Sources.ts"

interface EntryText {
  readonly key: string
  readonly xdr: string
  readonly [field: string]: unknown
}

/** The replacement of an entry; a ledger: the one that modified it. */
export interface Altered {
  readonly data: xdr.LedgerEntryData
  readonly modified?: number
}

/** Shows other contents of the entry under a key, and honest entries otherwise. */
export const altering =
  (key: xdr.LedgerKey, change: (data: xdr.LedgerEntryData, latestLedger: number) => Altered): Lie => (method, result) => {
    if (method !== "getLedgerEntries") return result
    const text = key.toXdr("base64")
    const entries = ((result["entries"] ?? []) as ReadonlyArray<EntryText>).map((one) => {
      if (one.key !== text) return one
      const { data, modified } = change(xdr.LedgerEntryData.fromXdr(one.xdr, "base64"), Number(result["latestLedger"]))
      return { ...one, xdr: data.toXdr("base64"), ...(modified === undefined ? {} : { lastModifiedLedgerSeq: modified }) }
    })
    return { ...result, entries }
  }

/** A trustline with another balance, stroops. */
export const holding = (balance: (before: bigint) => bigint) => (data: xdr.LedgerEntryData): xdr.LedgerEntryData => {
  if (data.type !== "trustline") throw new Error("no trustline")
  return xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...data.trustLine, balance: balance(data.trustLine.balance) }))
}

/** All debts of a position, multiplied by a factor. */
export const owing = (times: bigint) => (data: xdr.LedgerEntryData): xdr.LedgerEntryData => {
  if (data.type !== "contractData" || data.contractData.val.type !== "scvMap") throw new Error("no positions")
  const map = (data.contractData.val.map ?? []).map(({ key, val }) => {
    if (key.type !== "scvSymbol" || key.sym.toString() !== "liabilities" || val.type !== "scvMap") return new xdr.ScMapEntry({ key, val })
    const debts = (val.map ?? []).map((debt) => {
      if (debt.val.type !== "scvI128") throw new Error("no amount")
      const units = ((debt.val.i128.hi << 64n) + debt.val.i128.lo) * times
      return new xdr.ScMapEntry({
        key: debt.key,
        val: xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: units >> 64n, lo: units & ((1n << 64n) - 1n) }))
      })
    })
    return new xdr.ScMapEntry({ key, val: xdr.ScVal.scvMap(debts) })
  })
  return xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ...data.contractData, val: xdr.ScVal.scvMap(map) }))
}
