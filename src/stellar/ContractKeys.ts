import { Address, xdr } from "@stellar/stellar-sdk"
import type { ContractAddress } from "../domain/Address.ts"

/** How long an entry of a contract lives: `persistent` ones are archived when their time is over, `temporary` ones are gone. */
export type Durability = "persistent" | "temporary"

/** The key of one entry of a contract's storage. Instance storage has no keys of its own: it is in the instance entry. */
export const contractDataKey = (contract: ContractAddress, key: xdr.ScVal, durability: Durability = "persistent"): xdr.LedgerKey =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: Address.fromString(contract).toScAddress(),
      key,
      durability: xdr.ContractDataDurability[durability]
    })
  )

/** The key of the entry that holds a contract's executable and its instance storage. */
export const instanceKey = (contract: ContractAddress): xdr.LedgerKey => contractDataKey(contract, xdr.ScVal.scvLedgerKeyContractInstance())

/** The key of code by its SHA-256, 64 hex characters. */
export const codeKey = (wasmHash: string): xdr.LedgerKey =>
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.from(wasmHash, "hex") }))
