import { BigInt as Big, Order } from "effect"
import { type ClaimPredicate, holdsAt } from "./ClaimPredicate.ts"

/** A time in which a predicate holds: Unix seconds, from `start` until before `end`; null: without end. */
export interface Span {
  readonly start: bigint
  readonly end: bigint | null
}

/** The moment that a predicate names itself, in Unix seconds. */
const boundaryOf = (predicate: ClaimPredicate) => {
  if (predicate.type === "before_absolute_time") return predicate.absBeforeEpoch
  return predicate.type === "before_relative_time" ? predicate.deadlineEpoch : undefined
}

/** Every moment at which a predicate can change, in Unix seconds. */
const boundaries = (predicate: ClaimPredicate): ReadonlyArray<bigint> => {
  const own = boundaryOf(predicate)
  return [
    ...(own === undefined ? [] : [BigInt(own)]),
    ...(predicate.predicates ?? []).flatMap(boundaries),
    ...(predicate.predicate === undefined ? [] : boundaries(predicate.predicate))
  ]
}

/** When a predicate holds, from a moment on: computed once, because a close of many transactions checks many moments. */
export const spansOf = (predicate: ClaimPredicate, from: bigint): ReadonlyArray<Span> => {
  const moments = [...new Set([from, ...boundaries(predicate).filter((at) => at > from)])].toSorted(Order.bigint)
  const spans: Array<Span> = []
  let start: bigint | null = null
  for (const at of moments) {
    const holds = holdsAt(predicate, at)
    if (holds && start === null) start = at
    if (!holds && start !== null) {
      spans.push({ start, end: at })
      start = null
    }
  }
  return start === null ? spans : [...spans, { start, end: null }]
}

/** Whether a predicate holds in every ledger that closes from one moment to another, both included. */
export const holdsThroughout = (spans: ReadonlyArray<Span>, from: bigint, to: bigint): boolean =>
  spans.some(({ end, start }) => start <= from && (end === null || end > to))

/** The first moment from `from` on at which the predicate holds; null when it never will. */
export const holdsFrom = (spans: ReadonlyArray<Span>, from: bigint): bigint | null => {
  const next = spans.find(({ end }) => end === null || end > from)
  if (next === undefined) return null
  return Big.max(next.start, from)
}
