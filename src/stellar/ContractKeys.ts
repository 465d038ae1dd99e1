import { Address, xdr } from "@stellar/stellar-sdk"
import type { ContractAddress } from "../domain/Address.ts"

/** How long an entry of a contract lives: `persistent` ones are archived when their time is over, `temporary` ones are gone. */
export type Durability = "persistent" | "temporary"

const mostKnown = 10_000

/** What a contract's address and its instance's key were found to be: decoders ask for the same few again and again. */
const [addresses, instances] = [new Map<ContractAddress, xdr.ScAddress>(), new Map<ContractAddress, xdr.LedgerKey>()]

const remembered = <Value>(known: Map<ContractAddress, Value>, contract: ContractAddress, make: () => Value): Value => {
  const found = known.get(contract)
  if (found !== undefined) return found
  const made = make()
  if (known.size >= mostKnown) known.clear()
  known.set(contract, made)
  return made
}

/** The key of one entry of a contract's storage. Instance storage has no keys of its own: it is in the instance entry. */
export const contractDataKey = (contract: ContractAddress, key: xdr.ScVal, durability: Durability = "persistent"): xdr.LedgerKey =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: remembered(addresses, contract, () => Address.fromString(contract).toScAddress()),
      key,
      durability: xdr.ContractDataDurability[durability]
    })
  )

/** The key of the entry that holds a contract's executable and its instance storage. */
export const instanceKey = (contract: ContractAddress): xdr.LedgerKey =>
  remembered(instances, contract, () => contractDataKey(contract, xdr.ScVal.scvLedgerKeyContractInstance()))

/** The key of code by its SHA-256, 64 hex characters. */
export const codeKey = (wasmHash: string): xdr.LedgerKey =>
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.from(wasmHash, "hex") }))
