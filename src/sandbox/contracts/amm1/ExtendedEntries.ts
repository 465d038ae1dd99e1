import type { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"

const month = 30 * ledgersPerDay
const life = { below: 5 * month, to: 6 * month }

export const extendInstance = (host: ContractHost): void => host.extendInstance(life.below, life.to)

/** Reads an entry that need not be there, and keeps it. */
export const readAndExtend = (host: ContractHost, key: xdr.ScVal): xdr.ScVal | undefined => {
  const value = host.persistent.get(key)
  if (value !== undefined) host.persistent.extend(key, life.below, life.to)
  return value
}

export const writeAndExtend = (host: ContractHost, key: xdr.ScVal, value: xdr.ScVal): void => {
  host.persistent.set(key, value)
  host.persistent.extend(key, life.below, life.to)
}
