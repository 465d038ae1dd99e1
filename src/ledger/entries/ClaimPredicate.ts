import { xdr } from "@stellar/stellar-sdk"
import { int64Max } from "../Int64.ts"
import { fault } from "../LedgerFault.ts"

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
