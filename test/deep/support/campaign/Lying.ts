import { xdr } from "@stellar/stellar-sdk"
import { addressOf, i128, u128 } from "../../../../src/ledger/soroban/Values.ts"
import { xdrBase64 } from "../../../../src/xdr/XdrBytes.ts"
import { withHistory } from "../../../close/support/Lies.ts"
import type { Lie as ApiLie } from "../../../close/support/LyingSources.ts"
import type { Lie as RpcLie } from "../../../close/support/Sources.ts"
import type { LieKind } from "./Story.ts"

type Result = Record<string, unknown>

interface EntryText {
  readonly key: string
  readonly xdr: string
  readonly lastModifiedLedgerSeq?: number
}

/** Whether a key of a contract's entry names an account. */
const isOf = (owner: string) => {
  const name = xdrBase64(addressOf(owner))
  const names = (value: xdr.ScVal): boolean => {
    if (value.type === "scvAddress") return xdrBase64(value.address) === name
    return value.type === "scvVec" && (value.vec ?? []).some(names)
  }
  return ({ key: text }: EntryText): boolean => {
    const key = xdr.LedgerKey.fromXdr(text, "base64")
    return key.type === "contractData" && names(key.contractData.key)
  }
}

const entriesIn = (result: Result) => (result["entries"] ?? []) as ReadonlyArray<EntryText>

/** The same value with zero in place of an amount. */
const withoutAmounts = (value: xdr.ScVal): xdr.ScVal => {
  switch (value.type) {
    case "scvI128":
      return i128(0n)
    case "scvU128":
      return u128(0n)
    case "scvVec":
      return xdr.ScVal.scvVec((value.vec ?? []).map(withoutAmounts))
    case "scvMap":
      return xdr.ScVal.scvMap((value.map ?? []).map(({ key, val }) => new xdr.ScMapEntry({ key, val: withoutAmounts(val) })))
    default:
      return value
  }
}

interface Simulated {
  readonly results?: ReadonlyArray<{ readonly xdr: string; readonly auth?: ReadonlyArray<string> }>
}

/** Whether a simulation is of a getter, which needs no authorization. */
const isGetter = (result: Result): boolean => ((result as Simulated).results ?? []).every(({ auth = [] }) => auth.length === 0)

/** The lie in place of an honest answer; null: no lie about it. */
const lies: Readonly<Record<Exclude<LieKind, "history">, (method: string, result: Result, owner: string) => Result | null>> = {
  entries: (method, result, owner) => {
    if (method !== "getLedgerEntries" || !entriesIn(result).some(isOf(owner))) return null
    return { ...result, entries: entriesIn(result).filter((one) => !isOf(owner)(one)) }
  },
  getters: (method, result) => {
    const { results } = result as Simulated
    if (method !== "simulateTransaction" || results === undefined || !isGetter(result)) return null
    return { ...result, results: results.map((one) => ({ ...one, xdr: xdrBase64(withoutAmounts(xdr.ScVal.fromXdr(one.xdr, "base64"))) })) }
  },
  events: (method, result) => (method === "getEvents" ? { ...result, events: [] } : null),
  lastModified: (method, result, owner) => {
    if (method !== "getLedgerEntries" || !entriesIn(result).some(isOf(owner))) return null
    const newest = Number(result["latestLedger"])
    return { ...result, entries: entriesIn(result).map((one) => (isOf(owner)(one) ? { ...one, lastModifiedLedgerSeq: newest } : one)) }
  },
  simulations: (method, result) =>
    method !== "simulateTransaction" || isGetter(result)
      ? null
      : { latestLedger: result["latestLedger"], error: "HostError: Error(Contract, #10)", events: [] }
}

/** The lies of both endpoints of a place about an account. `isOn` says which kinds of lies are active. */
export const lyingTo = (
  owner: string,
  about: ReadonlyArray<LieKind>,
  isOn: (kind: LieKind) => boolean
): { readonly rpc: RpcLie; readonly api: ApiLie } => {
  const hidden = withHistory(owner, () => [])
  const rpc: RpcLie = (method, result) =>
    about.reduce<Result>((told, kind) => {
      const lie = kind === "history" ? null : lies[kind](method, told, owner)
      return lie !== null && isOn(kind) ? lie : told
    }, result)
  const api: ApiLie = (asked, honest) => {
    const lie = about.includes("history") ? hidden(asked, honest) : honest
    return lie !== honest && isOn("history") ? lie : honest
  }
  return { rpc, api }
}
