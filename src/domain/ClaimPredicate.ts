import { Schema } from "effect"
import { optional } from "./OptionalField.ts"

const epoch = Schema.String.pipe(Schema.pattern(/^-?[0-9]{1,19}$/))

export interface Predicate {
  readonly type: "unconditional" | "and" | "or" | "not" | "before_absolute_time" | "before_relative_time"
  readonly predicates?: ReadonlyArray<Predicate>
  readonly predicate?: Predicate
  readonly absBeforeEpoch?: string
  readonly relBeforeSeconds?: string
  readonly deadlineEpoch?: string
}

const times = {
  absBeforeEpoch: optional(epoch)
    .annotations({ description: "`before_absolute_time`: Unix epoch seconds." }),
  relBeforeSeconds: optional(epoch)
    .annotations({ description: "`before_relative_time`: seconds after the balance was created." }),
  deadlineEpoch: optional(epoch)
    .annotations({ description: "`before_relative_time`: the absolute deadline it resolves to." })
}

const kind = Schema.Literal("unconditional", "and", "or", "not", "before_absolute_time", "before_relative_time").annotations({
  description: "Which condition it is. It decides which other field is present."
})

const innermost: Schema.Schema<Predicate> = Schema.Struct({
  type: kind.pipe(Schema.filter((type) => type === "unconditional" || type.startsWith("before") || "a predicate without parts")),
  ...times
})

/** A predicate of parts. The document writes each part as the whole, though the levels end. */
const over = (levelBelow: Schema.Schema<Predicate>): Schema.Schema<Predicate> => {
  const part = levelBelow.annotations({ jsonSchema: { $ref: "#/components/schemas/ClaimPredicate" } })
  return Schema.Struct({
    type: kind,
    predicates: optional(Schema.Array(part).pipe(Schema.itemsCount(2)))
      .annotations({ description: "The two combined sub-predicates of `and` and `or`." }),
    predicate: optional(part)
      .annotations({ description: "The negated sub-predicate of `not`." }),
    ...times
  })
}

/**
 * When a claimant may claim. Evaluated against the close time of the ledger that applies the claim, strictly before the limit. The
 * ledger combines exactly two predicates, and nests them four levels deep at most.
 */
export const ClaimPredicate = over(over(over(innermost))).annotations({
  identifier: "ClaimPredicate",
  description: "Condition under which a claimant may claim."
})
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
