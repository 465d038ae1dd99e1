import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asBool, asU128 } from "../../../ledger/soroban/Values.ts"
import { extendInstance } from "./ExtendedEntries.ts"

const valueNotInitialized = 501

/** What an instance keeps under a key; nothing there ends the call. */
export const stored = <Value>(host: ContractHost, key: xdr.ScVal, read: (value: xdr.ScVal) => Value): Value => {
  extendInstance(host)
  const value = host.instance.get(key)
  return value === undefined ? host.fail(valueNotInitialized) : read(value)
}

/** What an instance keeps under a key, or what stands for it where nothing is there yet. */
export const storedOr = <Value>(host: ContractHost, key: xdr.ScVal, read: (value: xdr.ScVal) => Value, otherwise: Value): Value => {
  extendInstance(host)
  const value = host.instance.get(key)
  return value === undefined ? otherwise : read(value)
}

export const amountAt = (host: ContractHost, key: xdr.ScVal): bigint => storedOr(host, key, asU128, 0n)

export const flagAt = (host: ContractHost, key: xdr.ScVal): boolean => storedOr(host, key, asBool, false)
