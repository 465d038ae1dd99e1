import { type ClaimPredicate, holdsAt } from "../domain/ClaimPredicate.ts"

/** Every moment at which a predicate can change, in Unix seconds. */
const boundaries = (predicate: ClaimPredicate): ReadonlyArray<bigint> => {
  const own = predicate.type === "before_absolute_time" ? predicate.absBeforeEpoch : predicate.type === "before_relative_time" ? predicate.deadlineEpoch : undefined
  return [
    ...(own === undefined ? [] : [BigInt(own)]),
    ...(predicate.predicates ?? []).flatMap(boundaries),
    ...(predicate.predicate === undefined ? [] : boundaries(predicate.predicate))
  ]
}

/** Whether a predicate holds in every ledger that closes from one moment to another, both included. */
export const holdsThroughout = (predicate: ClaimPredicate, from: bigint, to: bigint): boolean =>
  [from, to, ...boundaries(predicate).filter((at) => at > from && at <= to)].every((at) => holdsAt(predicate, at))

/** The first moment from `from` on at which the predicate holds; null when it never will. */
export const holdsFrom = (predicate: ClaimPredicate, from: bigint): bigint | null => {
  const moments = [from, ...boundaries(predicate).filter((at) => at > from)].sort((a, b) => (a < b ? -1 : 1))
  return moments.find((at) => holdsAt(predicate, at)) ?? null
}
