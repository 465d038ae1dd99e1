import { Schema } from "effect"
import { Int } from "./Leaf.ts"
import { optional } from "./OptionalField.ts"

/** How one source of candidates fared. It distinguishes a short answer from a failed one. */
export const coverageOf = <const Sources extends ReadonlyArray<string>>(identifier: string, ...sources: Sources) =>
  Schema.Struct({
    source: Schema.Literal(...sources).annotations({ description: "Where candidates were looked for." }),
    status: Schema.Literal("ok", "failed", "skipped").annotations({ description: "`failed` and `skipped`: something may be missing." }),
    detail: optional(Schema.String).annotations({ description: "Why, in words." })
  }).annotations({ identifier, description: "How one source of candidates fared." })

/** The stretch of ledgers whose events were scanned; null when the scan had no time to begin. */
export const EventsScanned = Schema.NullOr(
  Schema.Struct({
    fromLedger: Int.annotations({ description: "First ledger of the scan." }),
    toLedger: Int.annotations({ description: "Last ledger of the scan." })
  }).annotations({ identifier: "EventsScanned", description: "Ledgers whose events were scanned, both ends included." })
).annotations({ description: "Ledgers whose events were scanned, or null." })
