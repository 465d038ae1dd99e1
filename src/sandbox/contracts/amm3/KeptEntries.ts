import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"

const DAY = 17_280
const INSTANCE_LIFE = 7 * DAY
/** Ledgers an entry of amm_3 lives on when it is used: thirty days. */
const ENTRY_LIFE = 30 * DAY

export const keepInstance = (host: ContractHost): void => host.extendInstance(INSTANCE_LIFE - DAY, INSTANCE_LIFE)

/** What stands under a key, which lives on by being read; undefined where nothing does. */
export const readKept = (host: ContractHost, key: xdr.ScVal): xdr.ScVal | undefined => {
  const value = host.persistent.get(key)
  if (value !== undefined) host.persistent.extend(key, ENTRY_LIFE - DAY, ENTRY_LIFE)
  return value
}

export const writeKept = (host: ContractHost, key: xdr.ScVal, value: xdr.ScVal): void => {
  host.persistent.set(key, value)
  host.persistent.extend(key, ENTRY_LIFE - DAY, ENTRY_LIFE)
}
