import { Schema } from "effect"

const epoch = Schema.String.pipe(Schema.pattern(/^-?[0-9]+$/))

export interface Predicate {
  readonly type: "unconditional" | "and" | "or" | "not" | "before_absolute_time" | "before_relative_time"
  readonly predicates?: ReadonlyArray<Predicate>
  readonly predicate?: Predicate
  readonly absBeforeEpoch?: string
  readonly relBeforeSeconds?: string
  readonly deadlineEpoch?: string
}

/** When a claimant may claim. Evaluated against the close time of the ledger that applies the claim, strictly before the limit. */
export const ClaimPredicate: Schema.Schema<Predicate> = Schema.Struct({
  type: Schema.Literal("unconditional", "and", "or", "not", "before_absolute_time", "before_relative_time").annotations({
    description: "Which condition it is. It decides which other field is present."
  }),
  predicates: Schema.optionalWith(Schema.Array(Schema.suspend((): Schema.Schema<Predicate> => ClaimPredicate)), { exact: true })
    .annotations({ description: "The combined sub-predicates of `and` and `or`." }),
  predicate: Schema.optionalWith(Schema.suspend((): Schema.Schema<Predicate> => ClaimPredicate), { exact: true })
    .annotations({ description: "The negated sub-predicate of `not`." }),
  absBeforeEpoch: Schema.optionalWith(epoch, { exact: true })
    .annotations({ description: "`before_absolute_time`: Unix epoch seconds." }),
  relBeforeSeconds: Schema.optionalWith(epoch, { exact: true })
    .annotations({ description: "`before_relative_time`: seconds after the balance was created." }),
  deadlineEpoch: Schema.optionalWith(epoch, { exact: true })
    .annotations({ description: "`before_relative_time`: the absolute deadline it resolves to." })
}).annotations({ identifier: "ClaimPredicate", description: "Condition under which a claimant may claim." })
export type ClaimPredicate = Predicate

/** Whether the predicate holds in a ledger that closes at `closeTime` (Unix seconds). */
export const holdsAt = (predicate: ClaimPredicate, closeTime: bigint): boolean => {
  switch (predicate.type) {
    case "unconditional":
      return true
    case "and":
      return (predicate.predicates ?? []).every((part) => holdsAt(part, closeTime))
    case "or":
      return (predicate.predicates ?? []).some((part) => holdsAt(part, closeTime))
    case "not":
      return predicate.predicate !== undefined && !holdsAt(predicate.predicate, closeTime)
    case "before_absolute_time":
      return predicate.absBeforeEpoch !== undefined && BigInt(predicate.absBeforeEpoch) > closeTime
    case "before_relative_time":
      return predicate.deadlineEpoch !== undefined && BigInt(predicate.deadlineEpoch) > closeTime
  }
}
