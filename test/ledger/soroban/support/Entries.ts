import { xdr } from "@stellar/stellar-sdk"
import { newAccount } from "../../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../../src/ledger/entries/LedgerEntry.ts"
import { idOfEntry } from "../../../../src/ledger/EntryId.ts"
import { contractData } from "../../../../src/ledger/soroban/ContractEntries.ts"
import { contractAddress, symbol, voidVal } from "../../../../src/ledger/soroban/Values.ts"
import { type Durability, keyOfContractData } from "../../../../src/xdr/LedgerKeys.ts"

/** The contract whose id is one byte over and over. */
export const contractAt = (byte: number): xdr.ScAddress => contractAddress(new xdr.ContractId(new Uint8Array(32).fill(byte)))

/** A contract that tests of a ledger's entries have in common, and the hash of its code. */
export const contract = contractAt(7)
export const wasmHash = "ab".repeat(32)

export const keyNamed = (name: string, durability: Durability = "persistent", of = contract): xdr.LedgerKey =>
  keyOfContractData(of, symbol(name), durability)

export const dataNamed = (name: string, value: xdr.ScVal, durability: Durability = "persistent", of = contract): xdr.LedgerEntryData =>
  contractData(of, symbol(name), durability, value)

/** An account with one stroop. */
export const accountEntry = (owner: xdr.PublicKey): xdr.LedgerEntry => newEntry(xdr.LedgerEntryData.account(newAccount(owner, 1n, 1n)))

/** The entry that says a nonce was used up. */
export const nonceEntry = (owner: xdr.ScAddress, nonce: bigint): xdr.LedgerEntry =>
  newEntry(contractData(owner, xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })), "temporary", voidVal))

/** Finds an entry of these by its id, as a ledger does; of two with one id the later. */
export const among = (...entries: ReadonlyArray<xdr.LedgerEntry>) => {
  const found = new Map(entries.map((entry) => [idOfEntry(entry), entry]))
  return (id: string): xdr.LedgerEntry | undefined => found.get(id)
}
