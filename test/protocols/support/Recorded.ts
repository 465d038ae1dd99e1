import { Address, xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import type { StateChange } from "../../../src/chain/contract-rpc/SimulationAnswer.ts"
import type { Getter } from "../../../src/chain/Getter.ts"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { AssetId } from "../../../src/domain/Asset.ts"
import type { EntryState, GetterState, LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { keyText } from "../../../src/xdr/LedgerKeys.ts"

const State = Schema.Struct({
  ledger: Schema.Number,
  closeTime: Schema.BigInt,
  entries: Schema.Array(Schema.Struct({ key: Schema.String, xdr: Schema.String, label: Schema.String })),
  expected: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      value: Schema.optional(Schema.Unknown),
      error: Schema.optional(Schema.String),
      xdr: Schema.optional(Schema.String)
    })
  })
})

const Call = Schema.Struct({
  name: Schema.String,
  state: Schema.String,
  /** No change since that state. */
  stateExact: Schema.Boolean,
  ledger: Schema.Number,
  closeTime: Schema.BigInt,
  contract: ContractAddress,
  function: Schema.String,
  args: Schema.Array(Schema.String),
  ok: Schema.Boolean,
  auth: Schema.optional(Schema.Array(Schema.String)),
  result: Schema.optional(Schema.String),
  errorCode: Schema.optional(Schema.String),
  stateChanges: Schema.optional(
    Schema.Array(Schema.Struct({ key: Schema.String, before: Schema.NullOr(Schema.String), after: Schema.NullOr(Schema.String) }))
  )
})
export type RecordedCall = typeof Call.Type

const Recording = Schema.Struct({
  user: AccountAddress,
  contracts: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({ address: ContractAddress, wasmHash: Schema.String, asset: Schema.optional(AssetId) })
  }),
  states: Schema.Record({ key: Schema.String, value: State }),
  calls: Schema.Array(Call)
})

/** A recording of real contract code, by its file name. */
export const recorded = (file: string) => {
  const recording = Schema.decodeUnknownSync(Schema.parseJson(Recording))(
    readFileSync(new URL(`../../recorded/${file}.json`, import.meta.url), "utf8")
  )
  const stateOf = (name: string) => {
    const state = recording.states[name]
    if (state === undefined) throw new Error(`no state ${name}`)
    return state
  }
  const nameOf = (address: string): string =>
    Object.entries(recording.contracts).find(([, contract]) => contract.address === address)?.[0] ?? "a stranger"
  /** The oracle's answers in a state; other recorded getters are not looked up by their call. */
  const told = (expected: (typeof State.Type)["expected"]) => ({ args, contract, function: called }: Getter): GetterState => {
    const [asset] = args[0]?.type === "scvVec" ? (args[0].vec ?? []).slice(1) : []
    const subject = asset?.type === "scvAddress" ? nameOf(Address.fromScAddress(asset.address).toString()) : ""
    const found = expected[`${nameOf(contract)}.${called}(${subject})`]?.xdr
    return found === undefined
      ? { _tag: "Failed", reason: "not recorded" }
      : { _tag: "Returned", value: xdr.ScVal.fromXdr(found, "base64") }
  }
  const viewOf = (name: string, but: Readonly<Record<string, Partial<EntryState> | null>> = {}): LedgerView => {
    const { closeTime, entries, expected, ledger } = stateOf(name)
    const states = new Map<string, EntryState>(entries.flatMap(({ key, label, xdr: data }) => {
      const change = but[label]
      const entry: EntryState = { _tag: "Present", data: xdr.LedgerEntryData.fromXdr(data, "base64"), archived: false }
      return change === null ? [] : [[key, { ...entry, ...change } as EntryState] as const]
    }))
    return { sequence: ledger, closeTime, state: (key) => states.get(keyText(key)) ?? { _tag: "Absent" }, answer: told(expected) }
  }
  return {
    ...recording,
    contract: (name: string): ContractAddress => {
      const found = recording.contracts[name]
      if (found === undefined) throw new Error(`no contract ${name}`)
      return found.address
    },
    call: (name: string): RecordedCall => {
      const found = recording.calls.find((call) => call.name.startsWith(name))
      if (found === undefined) throw new Error(`no call ${name}`)
      return found
    },
    /** The assets of token contracts. */
    assets: new Map(
      Object.values(recording.contracts).flatMap(({ address, asset }) => (asset === undefined ? [] : [[address, asset] as const]))
    ),
    /** A recorded fact: the result of the contract's own getter in that state. */
    fact: (state: string, name: string): unknown => stateOf(state).expected[name]?.value,
    /** The state, in which an unlisted key does not exist. `but` changes entries by their label; null removes one. */
    view: viewOf,
    /** The ledger of a call: its state after the calls of these names. */
    viewAt: ({ closeTime, ledger, state }: RecordedCall, after: ReadonlyArray<string>): LedgerView => {
      const changed = new Map(
        after.flatMap((name) => recording.calls.find((call) => call.name === name)?.stateChanges ?? []).map((
          { after: is, key }
        ) => [
          key,
          is === null
            ? ({ _tag: "Absent" } as const)
            : { _tag: "Present", data: xdr.LedgerEntry.fromXdr(is, "base64").data, archived: false } as const
        ])
      )
      const view = viewOf(state)
      return { ...view, sequence: ledger, closeTime, state: (key) => changed.get(keyText(key)) ?? view.state(key) }
    }
  }
}

/** A recorded amount. */
export const amount = (value: unknown): bigint => BigInt(Schema.decodeUnknownSync(Schema.Union(Schema.String, Schema.Number))(value))

/** The auth entries of a recorded call. */
export const authOf = (call: RecordedCall): ReadonlyArray<xdr.SorobanAuthorizationEntry> =>
  (call.auth ?? []).map((text) => xdr.SorobanAuthorizationEntry.fromXdr(text, "base64"))

/** The changes of a recorded call, from its simulation. */
export const changesOf = ({ stateChanges = [] }: Pick<RecordedCall, "stateChanges">): ReadonlyArray<StateChange> => {
  const entry = (text: string | null) => (text === null ? null : xdr.LedgerEntry.fromXdr(text, "base64"))
  return stateChanges.map(({ after, before, key }) => ({
    key: xdr.LedgerKey.fromXdr(key, "base64"),
    before: entry(before),
    after: entry(after)
  }))
}
