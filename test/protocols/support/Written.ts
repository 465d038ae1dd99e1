import { xdr } from "@stellar/stellar-sdk"
import type { EntryState, LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { keyText } from "../../../src/xdr/LedgerKeys.ts"

/** The entry of a contract under a key (`src/stellar/ContractKeys.ts`). */
export const written = (key: xdr.LedgerKey, val: xdr.ScVal): xdr.LedgerEntryData => {
  if (key.type !== "contractData") throw new Error("no contract data")
  const { contract, durability, key: name } = key.contractData
  return xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ext: xdr.ExtensionPoint.v0(), contract, durability, key: name, val }))
}

/** The value under `instanceKey`: the contract's code (SHA-256 of its wasm, hex), and its instance storage. */
export const instanceVal = (wasmHash: string, storage: ReadonlyArray<readonly [key: xdr.ScVal, val: xdr.ScVal]>): xdr.ScVal =>
  xdr.ScVal.scvContractInstance(
    new xdr.ScContractInstance({
      executable: xdr.ContractExecutable.contractExecutableWasm(Buffer.from(wasmHash, "hex")),
      storage: storage.map(([key, val]) => new xdr.ScMapEntry({ key, val }))
    })
  )

/** A ledger with only these contract entries, where no contract answers. `closeTime`: Unix seconds. */
export const ledgerWith = (entries: ReadonlyArray<readonly [key: xdr.LedgerKey, val: xdr.ScVal]>, closeTime = 1_000n): LedgerView => {
  const states = new Map(
    entries.map(([key, val]): [string, EntryState] => [keyText(key), { _tag: "Present", data: written(key, val), archived: false }])
  )
  return {
    sequence: 10,
    closeTime,
    state: (key) => states.get(keyText(key)) ?? { _tag: "Absent" },
    answer: () => ({ _tag: "Failed", reason: "nobody is asked" })
  }
}
