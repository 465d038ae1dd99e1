import type { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"

/** For how many ledgers entries are kept: when they would live no longer than `below`, they are made to live `to`. */
export interface Life {
  readonly below: number
  readonly to: number
}

const instanceLife: Life = { below: 30 * ledgersPerDay, to: 31 * ledgersPerDay }
/** Entries all users share. */
export const sharedLife: Life = { below: 45 * ledgersPerDay, to: 46 * ledgersPerDay }
/** Entries of one user. */
export const userLife: Life = { below: 100 * ledgersPerDay, to: 120 * ledgersPerDay }

export const extendInstance = (host: ContractHost, life = instanceLife): void => host.extendInstance(life.below, life.to)

/** Reads an entry that need not be there, and keeps it. */
export const readAndExtend = (host: ContractHost, key: xdr.ScVal, life: Life): xdr.ScVal | undefined => {
  const value = host.persistent.get(key)
  if (value !== undefined) host.persistent.extend(key, life.below, life.to)
  return value
}

/** Reads an entry that must be there: keeping one that is not fails. */
export const requireAndExtend = (host: ContractHost, key: xdr.ScVal, life: Life): xdr.ScVal => {
  host.persistent.extend(key, life.below, life.to)
  return host.persistent.get(key) ?? host.trap()
}

export const writeAndExtend = (host: ContractHost, key: xdr.ScVal, value: xdr.ScVal, life: Life): void => {
  host.persistent.set(key, value)
  host.persistent.extend(key, life.below, life.to)
}
