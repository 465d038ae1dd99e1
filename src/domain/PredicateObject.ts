import { Schema } from "effect"
import type { ClaimPredicate } from "./ClaimPredicate.ts"

const epoch = Schema.String.pipe(Schema.pattern(/^-?[0-9]{1,19}$/))

/** A claim predicate as the ledger API writes it: an object whose only meaningful field names the kind. */
export type PredicateObject =
  | { readonly unconditional: true }
  | { readonly and: ReadonlyArray<PredicateObject> }
  | { readonly or: ReadonlyArray<PredicateObject> }
  | { readonly not: PredicateObject }
  | { readonly abs_before_epoch: string }
  | { readonly rel_before: string }

const leaves = [
  Schema.Struct({ unconditional: Schema.Literal(true) }),
  Schema.Struct({ abs_before_epoch: epoch }),
  Schema.Struct({ rel_before: epoch })
] as const

const over = <A extends PredicateObject>(part: Schema.Schema<A>) => {
  const pair = Schema.Array(part).pipe(Schema.itemsCount(2))
  return Schema.Union(...leaves, Schema.Struct({ and: pair }), Schema.Struct({ or: pair }), Schema.Struct({ not: part }))
}

/** Decoded as the ledger admits it: it combines exactly two predicates, and nests them four levels deep at most. */
export const PredicateObject = over(over(over(Schema.Union(...leaves))))

/** The predicate in the wire's terms. */
export const predicateOf = (predicate: PredicateObject): ClaimPredicate => {
  if ("unconditional" in predicate) return { type: "unconditional" }
  if ("and" in predicate) return { type: "and", predicates: predicate.and.map(predicateOf) }
  if ("or" in predicate) return { type: "or", predicates: predicate.or.map(predicateOf) }
  if ("not" in predicate) return { type: "not", predicate: predicateOf(predicate.not) }
  if ("abs_before_epoch" in predicate) return { type: "before_absolute_time", absBeforeEpoch: predicate.abs_before_epoch }
  return { type: "before_relative_time", relBeforeSeconds: predicate.rel_before }
}
