import { xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import { bytes, compareValues, string, symbol, u32 } from "../../../ledger/soroban/Values.ts"
import { keyOfInstance } from "../../../xdr/LedgerKeys.ts"
import { contractEntries, dataEntries } from "../Deployment.ts"
import { Behaviour } from "./Behaviour.ts"
import { behavioursKey, behavioursVal } from "./HostileToken.ts"
import { tokenFamilies, type TokenFamily } from "./TokenFamily.ts"

/** Ledgers for which a token that is put on the network is paid. */
const life = 3_000_000

/** The largest entry a network takes is 64 KB: what fills an instance must leave room for the rest of it. */
const maxWeight = 64_000

const ScValText = Schema.String.pipe(Schema.filter((text) => xdr.ScVal.validateXdr(text, "base64") || "an ScVal in base64"))

const Value = Schema.Struct({ xdr: ScValText })

const Entry = Schema.Struct({ key: ScValText, value: ScValText, durability: Schema.Literal("persistent", "temporary") })

const exactly = { exact: true } as const

/** A token to be. What is left out is that of a plain, honest one of the soroban-examples family. */
export const NewToken = Schema.Struct({
  family: Schema.optionalWith(Schema.Literal("example", "open_zeppelin", "book"), exactly),
  /** A text, or a value of any type in its place. */
  symbol: Schema.optionalWith(Schema.Union(Schema.String, Value), exactly),
  name: Schema.optionalWith(Schema.Union(Schema.String, Value), exactly),
  decimals: Schema.optionalWith(Schema.Union(Schema.Int.pipe(Schema.between(0, 0xffff_ffff)), Value), exactly),
  behaviours: Schema.optionalWith(Schema.Array(Behaviour), exactly),
  /** What it keeps besides, or in place of what it would: entries whose keys and values nothing else vouches for. */
  entries: Schema.optionalWith(Schema.Array(Entry), exactly),
  /** Bytes that the instance holds for nothing. */
  weight: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, maxWeight)), exactly)
})
export type NewToken = typeof NewToken.Type

const said = (given: string | number | typeof Value.Type): xdr.ScVal => {
  if (typeof given === "string") return string(given)
  return typeof given === "number" ? u32(given) : xdr.ScVal.fromXdr(given.xdr, "base64")
}

/** A ledger with a token at an address, nothing of it out yet. */
export const withToken = (state: LedgerState, address: xdr.ScAddress, admin: xdr.ScAddress, token: NewToken): LedgerState => {
  const { behaviours = [], decimals = 7, entries = [], family = "example", symbol: code = "TKN", name = "Token", weight } = token
  const { code: honest, hostileCode, storage } = tokenFamilies[family]
  const instance = [
    ...storage({ admin, decimals: said(decimals), name: said(name), symbol: said(code) }),
    ...(behaviours.length === 0 ? [] : [[behavioursKey, behavioursVal(behaviours)] as const]),
    ...(weight === undefined ? [] : [[symbol("Weight"), bytes(new Uint8Array(weight))] as const])
  ]
  const hash = behaviours.length === 0 ? honest : hostileCode
  const until = state.header.ledgerSeq + life
  return state.set([
    ...contractEntries(address, hash, instance, until),
    ...entries.flatMap(({ durability, key, value }) =>
      dataEntries(address, [xdr.ScVal.fromXdr(key, "base64"), xdr.ScVal.fromXdr(value, "base64")], durability, until)
    )
  ])
}

/** A ledger on which a token does, from now on, so much and no more that an honest one does not; null where there is no such token. */
export const withBehaviours = (
  state: LedgerState,
  address: xdr.ScAddress,
  behaviours: ReadonlyArray<Behaviour>
): LedgerState | null => {
  const data = state.get(keyOfInstance(address))?.data
  const value = data?.type === "contractData" ? data.contractData.val : null
  if (value?.type !== "scvContractInstance" || value.instance.executable.type !== "contractExecutableWasm") return null
  const hash = Buffer.from(value.instance.executable.wasmHash.toBytes()).toString("hex")
  const families: ReadonlyArray<TokenFamily> = Object.values(tokenFamilies)
  const family = families.find(({ code, hostileCode }) => code === hash || hostileCode === hash)
  if (family === undefined) return null
  const kept = (value.instance.storage ?? []).filter(({ key }) => compareValues(key, behavioursKey) !== 0)
  const storage = [...kept.map(({ key, val }) => [key, val] as const), [behavioursKey, behavioursVal(behaviours)] as const]
  return state.set(contractEntries(address, family.hostileCode, storage, state.header.ledgerSeq + life))
}
