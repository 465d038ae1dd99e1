import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
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

/** What a contract transaction would need and do on the ledger that was asked. */
export type SimulationAnswer =
  | {
    readonly _tag: "Simulated"
    readonly resources: SimulatedResources
    /** Agreements the call asks for, recorded. Empty for anything but a call. */
    readonly auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
    /** What the call returns; null for anything but a call. */
    readonly result: xdr.ScVal | null
    readonly changes: ReadonlyArray<StateChange>
    /** Base64 DiagnosticEvent. */
    readonly events: ReadonlyArray<string>
    /** Archived entries that must be restored before, by a transaction of their own; null: none. */
    readonly restore: SimulatedResources | null
    /** The ledger it was simulated on. */
    readonly latestLedger: number
  }
  /** It would fail. Not an outage: asking again on the same ledger changes nothing. */
  | { readonly _tag: "Failed"; readonly error: string; readonly latestLedger: number }

const resources = { transactionData: SorobanTransactionDataText, minResourceFee: BigText }

const absent = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(Schema.NullOr(schema), { exact: true })

const Result = Schema.Union(
  Schema.Struct({ error: Schema.String.pipe(Schema.minLength(1)), latestLedger: LedgerNumber }),
  Schema.Struct({
    ...resources,
    latestLedger: LedgerNumber,
    events: absent(Schema.Array(Schema.String)),
    results: absent(Schema.Array(Schema.Struct({ auth: absent(Schema.Array(SorobanAuthorizationEntryText)), xdr: ScValText })).pipe(Schema.maxItems(1))),
    restorePreamble: absent(Schema.Struct(resources)),
    stateChanges: absent(Schema.Array(Schema.Struct({ key: LedgerKeyText, before: absent(LedgerEntryText), after: absent(LedgerEntryText) })))
  })
)

const answerOf = (told: typeof Result.Type): SimulationAnswer => {
  if ("error" in told) return { _tag: "Failed", error: told.error, latestLedger: told.latestLedger }
  const call = told.results?.[0]
  return {
    _tag: "Simulated",
    resources: { data: told.transactionData, minResourceFee: told.minResourceFee },
    auth: call?.auth ?? [],
    result: call?.xdr ?? null,
    changes: (told.stateChanges ?? []).map(({ after = null, before = null, key }) => ({ key, before, after })),
    events: told.events ?? [],
    restore: told.restorePreamble == null ? null : { data: told.restorePreamble.transactionData, minResourceFee: told.restorePreamble.minResourceFee },
    latestLedger: told.latestLedger
  }
}

/** `simulateTransaction`. `instructionLeeway`: instructions to declare beyond those counted. Agreements are recorded where the envelope carries none. */
export const simulateTransaction = (call: Call) => (envelope: string, instructionLeeway: number) => {
  const attempt = call("simulateTransaction", { transaction: envelope, resourceConfig: { instructionLeeway } }, Result)
  return (url: URL) => Effect.map(attempt(url), answerOf)
}
