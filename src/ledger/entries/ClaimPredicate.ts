import { xdr } from "@stellar/stellar-sdk"
import { int64Max } from "../Int64.ts"
import { fault } from "../LedgerFault.ts"

const maxDepth = 4

/** Whether a predicate may be written: two terms to `and` and `or`, one to `not`, no negative time, four levels at most. */
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

/** The predicate as it is stored: times counted from the closing ledger become absolute, at most the largest there is. */
export const resolvedPredicate = (predicate: xdr.ClaimPredicate, closeTime: bigint): xdr.ClaimPredicate => {
  const resolve = (term: xdr.ClaimPredicate): xdr.ClaimPredicate => resolvedPredicate(term, closeTime)
  switch (predicate.type) {
    case "claimPredicateAnd":
      return xdr.ClaimPredicate.claimPredicateAnd(predicate.andPredicates.map(resolve))
    case "claimPredicateOr":
      return xdr.ClaimPredicate.claimPredicateOr(predicate.orPredicates.map(resolve))
    case "claimPredicateNot":
      return xdr.ClaimPredicate.claimPredicateNot(predicate.notPredicate === null ? null : resolve(predicate.notPredicate))
    case "claimPredicateBeforeRelativeTime": {
      const at = closeTime + predicate.relBefore
      return xdr.ClaimPredicate.claimPredicateBeforeAbsoluteTime(at > int64Max ? int64Max : at)
    }
    case "claimPredicateUnconditional":
    case "claimPredicateBeforeAbsoluteTime":
      return predicate
  }
}

/** Whether a stored predicate lets its claimant claim in a ledger that closes at a time. */
export const holds = (predicate: xdr.ClaimPredicate, closeTime: bigint): boolean => {
  switch (predicate.type) {
    case "claimPredicateUnconditional":
      return true
    case "claimPredicateAnd":
      return predicate.andPredicates.every((term) => holds(term, closeTime))
    case "claimPredicateOr":
      return predicate.orPredicates.some((term) => holds(term, closeTime))
    case "claimPredicateNot":
      return predicate.notPredicate === null ? fault("a negation of nothing") : !holds(predicate.notPredicate, closeTime)
    case "claimPredicateBeforeAbsoluteTime":
      return predicate.absBefore > closeTime
    case "claimPredicateBeforeRelativeTime":
      return fault("a stored predicate counts from its creation")
  }
}
