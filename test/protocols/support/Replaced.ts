import { assert } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { contractData } from "../../../src/ledger/soroban/ContractEntries.ts"
import type { EntryState, LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { keyOf, keyOfContractData, keyText } from "../../../src/xdr/LedgerKeys.ts"

/** The value of a contract under a key. */
export const keptIn = (state: LedgerState, contract: xdr.ScAddress, key: xdr.ScVal): xdr.ScVal => {
  const entry = state.get(keyOfContractData(contract, key, "persistent"))
  return entry?.data.type === "contractData" ? entry.data.contractData.val : assert.fail("there is no such entry")
}

/** A ledger with another value under a contract's existing key. */
export const replaced = (state: LedgerState, contract: xdr.ScAddress, key: xdr.ScVal, value: (old: xdr.ScVal) => xdr.ScVal): LedgerState =>
  state.set([newEntry(contractData(contract, key, "persistent", value(keptIn(state, contract, key))))])

/** A reader's view of a ledger; time and getter results come from another view. */
export const viewOf = (state: LedgerState, view: LedgerView): LedgerView => {
  const entries = new Map(
    Array.from(state.entries()).map((
      entry
    ): [string, EntryState] => [keyText(keyOf(entry)), { _tag: "Present", data: entry.data, archived: false }])
  )
  return { ...view, state: (key) => entries.get(keyText(key)) ?? { _tag: "Absent" } }
}
