import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"

const MONTH = 30 * 17_280
const LIFE = { below: 5 * MONTH, to: 6 * MONTH }

export const keepInstance = (host: ContractHost): void => host.extendInstance(LIFE.below, LIFE.to)

/** Reads an entry that need not be there, and keeps it. */
export const readKept = (host: ContractHost, key: xdr.ScVal): xdr.ScVal | undefined => {
  const value = host.persistent.get(key)
  if (value !== undefined) host.persistent.extend(key, LIFE.below, LIFE.to)
  return value
}

export const writeKept = (host: ContractHost, key: xdr.ScVal, value: xdr.ScVal): void => {
  host.persistent.set(key, value)
  host.persistent.extend(key, LIFE.below, LIFE.to)
}
