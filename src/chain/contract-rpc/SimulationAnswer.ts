import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { optional } from "../../domain/OptionalField.ts"
import { keyOfEntryData, keyText } from "../../xdr/LedgerKeys.ts"
import { Unreachable } from "../Fault.ts"
import type { Fault } from "../Fault.ts"
import { NewerXdr } from "../xdr/KnownXdr.ts"
import { LedgerEntryText, LedgerKeyText, ScValText, SorobanAuthorizationEntryText, SorobanTransactionDataText } from "../xdr/XdrText.ts"
import type { Call } from "./JsonRpc.ts"
import { BigText, LedgerNumber } from "./WireNumbers.ts"

/** The footprint and resources of a contract transaction, and what they cost at least. */
export interface SimulatedResources {
  readonly data: xdr.SorobanTransactionData
  /** Stroops. */
  readonly minResourceFee: bigint
}

/** What one entry would become; null: it is not there. */
export interface StateChange {
  readonly key: xdr.LedgerKey
  readonly before: xdr.LedgerEntry | null
  readonly after: xdr.LedgerEntry | null
}

/** What a contract call would need and do on the ledger of the endpoint that answered. */
export type SimulationAnswer =
  | {
    readonly _tag: "Simulated"
    readonly resources: SimulatedResources
    /** Agreements the call asks for, recorded. */
    readonly auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
    /** What the call returns. */
    readonly result: xdr.ScVal
    /** Each entry at most once. A server leaves an empty list out, so none may also be one that reports none. */
    readonly changes: ReadonlyArray<StateChange>
    /** Base64 DiagnosticEvent. */
    readonly events: ReadonlyArray<string>
    /** Archived entries that must be restored before, by a transaction of their own; null: none. */
    readonly restore: SimulatedResources | null
    /** The ledger it was simulated on. */
    readonly latestLedger: number
  }
  /** What it needs, agrees to or does has an unknown arm: only what it returns can be read. */
  | { readonly _tag: "Newer"; readonly result: xdr.ScVal; readonly latestLedger: number }
  /** The host ended it. Not an outage: asking again on the same ledger changes nothing. */
  | { readonly _tag: "Failed"; readonly error: string; readonly latestLedger: number }

const resources = { transactionData: SorobanTransactionDataText, minResourceFee: BigText }
const Resources = Schema.Struct(resources)

const absent = <A, I>(schema: Schema.Schema<A, I>) => optional(Schema.NullOr(schema))

/** Whether an entry stands under a key; true where one of the two is unreadable, and where there is no entry. */
const isUnder = (key: xdr.LedgerKey | NewerXdr) => (entry: xdr.LedgerEntry | NewerXdr | null | undefined): boolean =>
  key instanceof NewerXdr || entry instanceof NewerXdr || entry === null || entry === undefined ||
  keyText(keyOfEntryData(entry.data)) === keyText(key)

const Change = Schema.Struct({ key: LedgerKeyText, before: absent(LedgerEntryText), after: absent(LedgerEntryText) }).pipe(
  Schema.filter(({ after, before, key }) => [before, after].every(isUnder(key)) || "an entry that stands under its key")
)

const keysIn = (changes: ReadonlyArray<typeof Change.Type>): ReadonlyArray<string> =>
  changes.flatMap(({ key }) => (key instanceof NewerXdr ? [] : [keyText(key)]))

const Changes = Schema.Array(Change).pipe(
  Schema.filter((changes) => new Set(keysIn(changes)).size === keysIn(changes).length || "each entry once")
)

const Called = Schema.Struct({ auth: absent(Schema.Array(SorobanAuthorizationEntryText)), xdr: ScValText })

const Simulated = Schema.Struct({
  ...resources,
  latestLedger: LedgerNumber,
  events: absent(Schema.Array(Schema.String)),
  results: Schema.Tuple(Called),
  restorePreamble: absent(Resources),
  stateChanges: absent(Changes)
})

const Result = Schema.Union(
  Schema.Struct({ error: Schema.String.pipe(Schema.minLength(1)), latestLedger: LedgerNumber }),
  Simulated
)

/** How the host names its errors. Any other error is the server's own: it was busy, or could not read its ledger. */
const ofHost = "HostError"

const isRead = <A>(value: A | NewerXdr): value is A => !(value instanceof NewerXdr)

const changeOf = ({ after = null, before = null, key }: typeof Change.Type): StateChange | NewerXdr => {
  if (!isRead(key)) return key
  if (!isRead(before)) return before
  return isRead(after) ? { key, before, after } : after
}

const resourcesOf = ({ minResourceFee, transactionData: data }: typeof Resources.Type): SimulatedResources | NewerXdr =>
  isRead(data) ? { data, minResourceFee } : data

/** All of them; the first unreadable one where there is one. */
const allOf = <A>(values: ReadonlyArray<A | NewerXdr>): ReadonlyArray<A> | NewerXdr => {
  const read = values.filter(isRead)
  return read.length === values.length ? read : values.find((one) => one instanceof NewerXdr) ?? read
}

const simulated = (told: typeof Simulated.Type): SimulationAnswer => {
  const { events, latestLedger, restorePreamble = null, results: [called], stateChanges } = told
  const { xdr: result } = called
  const [auth, changes] = [allOf(called.auth ?? []), allOf((stateChanges ?? []).map(changeOf))]
  const [resources, restore] = [resourcesOf(told), restorePreamble === null ? null : resourcesOf(restorePreamble)]
  return isRead(auth) && isRead(changes) && isRead(resources) && isRead(restore)
    ? { _tag: "Simulated", resources, auth, result, changes, events: events ?? [], restore, latestLedger }
    : { _tag: "Newer", result, latestLedger }
}

const answerOf = (told: typeof Result.Type): Effect.Effect<SimulationAnswer, Fault> => {
  if (!("error" in told)) return Effect.succeed(simulated(told))
  return told.error.includes(ofHost)
    ? Effect.succeed({ _tag: "Failed", error: told.error, latestLedger: told.latestLedger })
    : new Unreachable({ reason: "simulateTransaction: not simulated" })
}

/**
 * `simulateTransaction` of one contract call. `instructionLeeway`: instructions to declare beyond those counted. Agreements are recorded
 * where the envelope carries none.
 */
export const simulateTransaction = (call: Call) => (envelope: string, instructionLeeway: number) => {
  const attempt = call("simulateTransaction", { transaction: envelope, resourceConfig: { instructionLeeway } }, Result)
  return (url: URL) => Effect.flatMap(attempt(url), answerOf)
}
