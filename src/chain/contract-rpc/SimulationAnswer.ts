import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { keyOf, keyText } from "../../stellar/EntryKeys.ts"
import { Unreachable } from "../Fault.ts"
import type { Fault } from "../Fault.ts"
import { LedgerEntryText, LedgerKeyText, ScValText, SorobanAuthorizationEntryText, SorobanTransactionDataText } from "../XdrText.ts"
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

/** What a contract call would need and do on the ledger that was asked. */
export type SimulationAnswer =
  | {
    readonly _tag: "Simulated"
    readonly resources: SimulatedResources
    /** Agreements the call asks for, recorded. */
    readonly auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
    /** What the call returns. */
    readonly result: xdr.ScVal
    /** Each entry at most once. A server leaves an empty list out, so none may also be one that tells of none. */
    readonly changes: ReadonlyArray<StateChange>
    /** Base64 DiagnosticEvent. */
    readonly events: ReadonlyArray<string>
    /** Archived entries that must be restored before, by a transaction of their own; null: none. */
    readonly restore: SimulatedResources | null
    /** The ledger it was simulated on. */
    readonly latestLedger: number
  }
  /** The host ended it. Not an outage: asking again on the same ledger changes nothing. */
  | { readonly _tag: "Failed"; readonly error: string; readonly latestLedger: number }

const resources = { transactionData: SorobanTransactionDataText, minResourceFee: BigText }

const absent = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** An entry that a key stands for. */
const isUnder = (key: xdr.LedgerKey) => (entry: xdr.LedgerEntry | null | undefined): boolean =>
  entry === null || entry === undefined || keyText(keyOf(entry.data)) === keyText(key)

const Change = Schema.Struct({ key: LedgerKeyText, before: absent(LedgerEntryText), after: absent(LedgerEntryText) }).pipe(
  Schema.filter(({ after, before, key }) => [before, after].every(isUnder(key)) || "an entry that stands under its key")
)

const Changes = Schema.Array(Change).pipe(
  Schema.filter((changes) => new Set(changes.map(({ key }) => keyText(key))).size === changes.length || "each entry once")
)

const Called = Schema.Struct({ auth: absent(Schema.Array(SorobanAuthorizationEntryText)), xdr: ScValText })

const Result = Schema.Union(
  Schema.Struct({ error: Schema.String.pipe(Schema.minLength(1)), latestLedger: LedgerNumber }),
  Schema.Struct({
    ...resources,
    latestLedger: LedgerNumber,
    events: absent(Schema.Array(Schema.String)),
    results: Schema.Tuple(Called),
    restorePreamble: absent(Schema.Struct(resources)),
    stateChanges: absent(Changes)
  })
)

/** How the host names its errors. Any other error is the server's own: it was busy, or could not read its ledger. */
const ofHost = "HostError"

const answerOf = (told: typeof Result.Type): Effect.Effect<SimulationAnswer, Fault> => {
  if ("error" in told) {
    return told.error.includes(ofHost)
      ? Effect.succeed({ _tag: "Failed", error: told.error, latestLedger: told.latestLedger })
      : new Unreachable({ reason: "simulateTransaction: not simulated" })
  }
  const [{ auth, xdr: result }] = told.results
  const { restorePreamble: restore = null } = told
  return Effect.succeed({
    _tag: "Simulated",
    resources: { data: told.transactionData, minResourceFee: told.minResourceFee },
    auth: auth ?? [],
    result,
    changes: (told.stateChanges ?? []).map(({ after = null, before = null, key }) => ({ key, before, after })),
    events: told.events ?? [],
    restore: restore === null ? null : { data: restore.transactionData, minResourceFee: restore.minResourceFee },
    latestLedger: told.latestLedger
  })
}

/**
 * `simulateTransaction` of one contract call. `instructionLeeway`: instructions to declare beyond those counted. Agreements are recorded
 * where the envelope carries none.
 */
export const simulateTransaction = (call: Call) => (envelope: string, instructionLeeway: number) => {
  const attempt = call("simulateTransaction", { transaction: envelope, resourceConfig: { instructionLeeway } }, Result)
  return (url: URL) => Effect.flatMap(attempt(url), answerOf)
}
