import { xdr } from "@stellar/stellar-sdk"
import { newEntry } from "../../ledger/entries/LedgerEntry.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { sha256 } from "../../ledger/Signatures.ts"
import { assetStorage } from "../../ledger/soroban/AssetInstance.ts"
import { assetContractId, contractCode, contractData } from "../../ledger/soroban/ContractEntries.ts"
import { ttlEntry } from "../../ledger/soroban/Life.ts"
import { contractAddress, mapOf } from "../../ledger/soroban/Values.ts"
import { type Durability, keyOf, keyOfInstance } from "../../xdr/LedgerKeys.ts"

type Storage = ReadonlyArray<readonly [key: xdr.ScVal, val: xdr.ScVal]>

/** What code looks like on the sandbox: no more than its place, for a model does its work. */
const standInCode = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])

/** An entry that pays rent, with the one that says until when (a ledger sequence number, inclusive). */
const living = (data: xdr.LedgerEntryData, liveUntil: number): ReadonlyArray<xdr.LedgerEntry> => {
  const entry = newEntry(data)
  return [entry, ttlEntry(keyOf(entry), liveUntil)]
}

/** Ledger entries of code under a hash (hex), run by the model registered for it. */
export const codeEntries = (wasmHash: string, liveUntil: number, code = standInCode): ReadonlyArray<xdr.LedgerEntry> =>
  living(contractCode(Buffer.from(wasmHash, "hex"), code), liveUntil)

/** Ledger entries of one piece of a contract's data. */
export const dataEntries = (
  contract: xdr.ScAddress,
  [key, val]: Storage[number],
  durability: Durability,
  liveUntil: number
): ReadonlyArray<xdr.LedgerEntry> => living(contractData(contract, key, durability, val), liveUntil)

const instanceEntries = (
  contract: xdr.ScAddress,
  executable: xdr.ContractExecutable,
  storage: Storage,
  liveUntil: number
): ReadonlyArray<xdr.LedgerEntry> => {
  const map = mapOf(storage)
  const instance = new xdr.ScContractInstance({ executable, storage: map.type === "scvMap" ? map.map : null })
  return dataEntries(contract, [xdr.ScVal.scvLedgerKeyContractInstance(), xdr.ScVal.scvContractInstance(instance)], "persistent", liveUntil)
}

/** Ledger entries of a contract of given code (hash in hex), the code's own among them. */
export const contractEntries = (
  contract: xdr.ScAddress,
  wasmHash: string,
  storage: Storage,
  liveUntil: number
): ReadonlyArray<xdr.LedgerEntry> => [
  ...codeEntries(wasmHash, liveUntil),
  ...instanceEntries(contract, xdr.ContractExecutable.contractExecutableWasm(Buffer.from(wasmHash, "hex")), storage, liveUntil)
]

/** A ledger on which a contract runs something else; what it stores stays. Throws where there is no such contract. */
export const withExecutable = (state: LedgerState, contract: xdr.ScAddress, executable: xdr.ContractExecutable): LedgerState => {
  const entry = state.get(keyOfInstance(contract))
  if (entry?.data.type !== "contractData" || entry.data.contractData.val.type !== "scvContractInstance") throw new Error("no such contract")
  const { contractData: before } = entry.data
  const instance = new xdr.ScContractInstance({ executable, storage: entry.data.contractData.val.instance.storage })
  const data = xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ...before, val: xdr.ScVal.scvContractInstance(instance) }))
  return state.set([new xdr.LedgerEntry({ ...entry, data })])
}

/** A ledger on which a contract was upgraded to code of a hash (hex), which lives until a ledger. */
export const withUpgrade = (state: LedgerState, contract: xdr.ScAddress, wasmHash: string, liveUntil: number): LedgerState =>
  withExecutable(state, contract, xdr.ContractExecutable.contractExecutableWasm(Buffer.from(wasmHash, "hex"))).set(
    codeEntries(wasmHash, liveUntil)
  )

/** Ledger entries of the contract of a classic asset, as deploying it leaves them. */
export const assetContractEntries = (
  asset: xdr.Asset,
  networkPassphrase: string,
  liveUntil: number
): ReadonlyArray<xdr.LedgerEntry> =>
  instanceEntries(
    contractAddress(assetContractId(asset, sha256(Buffer.from(networkPassphrase)))),
    xdr.ContractExecutable.contractExecutableStellarAsset(),
    assetStorage(asset),
    liveUntil
  )
