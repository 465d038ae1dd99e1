import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"

const DAY = 17_280

/** For how many ledgers entries are kept: when they would live no longer than `below`, they are made to live `to`. */
export interface Life {
  readonly below: number
  readonly to: number
}

export const INSTANCE_LIFE: Life = { below: 30 * DAY, to: 31 * DAY }
/** Entries all users share. */
export const SHARED_LIFE: Life = { below: 45 * DAY, to: 46 * DAY }
/** Entries of one user. */
export const USER_LIFE: Life = { below: 100 * DAY, to: 120 * DAY }

export const keepInstance = (host: ContractHost, life = INSTANCE_LIFE): void => host.extendInstance(life.below, life.to)

/** Reads an entry that need not be there, and keeps it. */
export const readKept = (host: ContractHost, key: xdr.ScVal, life: Life): xdr.ScVal | undefined => {
  const value = host.persistent.get(key)
  if (value !== undefined) host.persistent.extend(key, life.below, life.to)
  return value
}

/** Reads an entry that must be there: keeping one that is not fails. */
export const requireKept = (host: ContractHost, key: xdr.ScVal, life: Life): xdr.ScVal => {
  host.persistent.extend(key, life.below, life.to)
  return host.persistent.get(key) ?? host.trap()
}

export const writeKept = (host: ContractHost, key: xdr.ScVal, value: xdr.ScVal, life: Life): void => {
  host.persistent.set(key, value)
  host.persistent.extend(key, life.below, life.to)
}
