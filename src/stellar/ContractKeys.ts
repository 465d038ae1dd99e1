import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { objectMemo } from "../fibers/ObjectMemo.ts"
import { textMemo } from "../fibers/TextMemo.ts"
import { type Durability, instanceVal, keyOfCode, keyOfContractData } from "../xdr/LedgerKeys.ts"
import { addressNamed } from "./ScAddresses.ts"

/** Decoders ask for the same contracts again and again. */
const mostKnown = 5_000

/** Keys of all contracts under a value. They last as long as the value does. */
const keysOf = (durability: Durability) =>
  objectMemo((key: xdr.ScVal) =>
    textMemo(mostKnown, (contract: ContractAddress) => keyOfContractData(addressNamed(contract), key, durability))
  )

const keysUnder = { persistent: keysOf("persistent"), temporary: keysOf("temporary") }

/**
 * The key of one entry of a contract's storage. Instance storage has no keys of its own: it is in the instance entry. The same value, not
 * an equal one, gives the same key again, and its text need not be written once more.
 */
export const contractDataKey = (contract: ContractAddress, key: xdr.ScVal, durability: Durability = "persistent"): xdr.LedgerKey =>
  keysUnder[durability](key)(contract)

/** The key of the entry that holds a contract's executable and its instance storage. */
export const instanceKey = (contract: ContractAddress): xdr.LedgerKey => contractDataKey(contract, instanceVal)

/** The key of code by its SHA-256, 64 hex characters. */
export const codeKey = (wasmHash: string): xdr.LedgerKey => keyOfCode(Buffer.from(wasmHash, "hex"))

const mostHolders = 8

/**
 * Caches the value under which contracts store what is a holder's. It is the same for all contracts, so that a read of an account makes it
 * once for hundreds of them. The most recent holders are kept, at most `mostHolders`.
 */
export const underHolder = <Holder extends AccountAddress | ContractAddress>(
  value: (holder: Holder) => xdr.ScVal
): (holder: Holder) => xdr.ScVal => textMemo(mostHolders, value)
