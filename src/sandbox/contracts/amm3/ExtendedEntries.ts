import type { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"

const instanceLife = 7 * ledgersPerDay
/** Ledgers an entry of amm_3 lives on when it is used: thirty days. */
const entryLife = 30 * ledgersPerDay

export const extendInstance = (host: ContractHost): void => host.extendInstance(instanceLife - ledgersPerDay, instanceLife)

/** What stands under a key, which lives on by being read; undefined where nothing does. */
export const readAndExtend = (host: ContractHost, key: xdr.ScVal): xdr.ScVal | undefined => {
  const value = host.persistent.get(key)
  if (value !== undefined) host.persistent.extend(key, entryLife - ledgersPerDay, entryLife)
  return value
}

export const writeAndExtend = (host: ContractHost, key: xdr.ScVal, value: xdr.ScVal): void => {
  host.persistent.set(key, value)
  host.persistent.extend(key, entryLife - ledgersPerDay, entryLife)
}
