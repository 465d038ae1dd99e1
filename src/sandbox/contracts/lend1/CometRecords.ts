import type { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asI128,
  asU32,
  asVec,
  field,
  i128,
  mapOf,
  sameAddress,
  struct,
  u32,
  variant,
  vec
} from "../../../ledger/soroban/Values.ts"
import { CometError } from "./CometError.ts"
import { type Life, requireAndExtend, writeAndExtend } from "./ExtendedEntries.ts"

/** Entries everyone shares, and the instance. */
export const cometLife: Life = { below: 30 * ledgersPerDay, to: 31 * ledgersPerDay }

const recordsKey = variant("AllRecordData")
const tokensKey = variant("AllTokenVec")

/** A token of the pool: base units held, weight with seven decimals, factor to eighteen decimals. */
export interface CometRecord {
  readonly token: xdr.ScAddress
  readonly balance: bigint
  readonly index: number
  readonly scalar: bigint
  readonly weight: bigint
}

const recordVal = ({ balance, index, scalar, weight }: CometRecord): xdr.ScVal =>
  struct({ balance: i128(balance), index: u32(index), scalar: i128(scalar), weight: i128(weight) })

const recordsVal = (records: ReadonlyArray<CometRecord>): xdr.ScVal =>
  mapOf(records.map((record) => [addressVal(record.token), recordVal(record)] as const))

/** The entries that hold the tokens of a pool. */
export const recordEntries = (records: ReadonlyArray<CometRecord>): ReadonlyArray<readonly [key: xdr.ScVal, val: xdr.ScVal]> => [
  [tokensKey, vec(...records.map(({ token }) => addressVal(token)))],
  [recordsKey, recordsVal(records)]
]

export const readTokens = (host: ContractHost): ReadonlyArray<xdr.ScAddress> =>
  asVec(requireAndExtend(host, tokensKey, cometLife)).map(asAddress)

export const readRecords = (host: ContractHost): ReadonlyArray<CometRecord> => {
  const value = requireAndExtend(host, recordsKey, cometLife)
  if (value.type !== "scvMap") return host.trap()
  return (value.map ?? []).map(({ key, val }) => ({
    token: asAddress(key),
    balance: asI128(field(val, "balance")),
    index: asU32(field(val, "index")),
    scalar: asI128(field(val, "scalar")),
    weight: asI128(field(val, "weight"))
  }))
}

export const writeRecords = (host: ContractHost, records: ReadonlyArray<CometRecord>): void =>
  writeAndExtend(host, recordsKey, recordsVal(records), cometLife)

/** The record of a token of the pool. */
export const recordOf = (host: ContractHost, records: ReadonlyArray<CometRecord>, token: xdr.ScAddress): CometRecord =>
  records.find((record) => sameAddress(record.token, token)) ?? host.fail(CometError.notBound)

export const withBalance = (records: ReadonlyArray<CometRecord>, token: xdr.ScAddress, balance: bigint): ReadonlyArray<CometRecord> =>
  records.map((record) => (sameAddress(record.token, token) ? { ...record, balance } : record))
