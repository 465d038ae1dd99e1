import type { xdr } from "@stellar/stellar-sdk"

const maxDepth = 4

/** Whether the ledger can hold a predicate: two terms to `and` and `or`, one to `not`, no negative time, four levels at most. */
export const isWellFormedPredicate = (predicate: xdr.ClaimPredicate, depth = 1): boolean => {
  if (depth > maxDepth) return false
  switch (predicate.type) {
    case "claimPredicateUnconditional":
      return true
    case "claimPredicateAnd":
      return isPair(predicate.andPredicates, depth)
    case "claimPredicateOr":
      return isPair(predicate.orPredicates, depth)
    case "claimPredicateNot":
      return predicate.notPredicate !== null && isWellFormedPredicate(predicate.notPredicate, depth + 1)
    case "claimPredicateBeforeAbsoluteTime":
      return predicate.absBefore >= 0n
    case "claimPredicateBeforeRelativeTime":
      return predicate.relBefore >= 0n
  }
}

const isPair = (terms: ReadonlyArray<xdr.ClaimPredicate>, depth: number): boolean =>
  terms.length === 2 && terms.every((term) => isWellFormedPredicate(term, depth + 1))
