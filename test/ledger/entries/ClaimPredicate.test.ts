import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { holds, resolvedPredicate } from "../../../src/ledger/entries/ClaimPredicate.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"

const Predicate = xdr.ClaimPredicate
const always = Predicate.claimPredicateUnconditional()
const never = Predicate.claimPredicateNot(always)
const before = (time: bigint): xdr.ClaimPredicate => Predicate.claimPredicateBeforeAbsoluteTime(time)
const within = (seconds: bigint): xdr.ClaimPredicate => Predicate.claimPredicateBeforeRelativeTime(seconds)
const and = (...terms: Array<xdr.ClaimPredicate>): xdr.ClaimPredicate => Predicate.claimPredicateAnd(terms)
const or = (...terms: Array<xdr.ClaimPredicate>): xdr.ClaimPredicate => Predicate.claimPredicateOr(terms)
const not = Predicate.claimPredicateNot

describe("a predicate as it is stored", () => {
  it("counts from the closing ledger, at most up to the largest time", () => {
    const stored = [0n, 5n, int64Max - 101n, int64Max - 100n, int64Max - 99n, int64Max].map((seconds) =>
      resolvedPredicate(within(seconds), 100n)
    )
    assert.deepStrictEqual(
      stored,
      [100n, 105n, int64Max - 1n, int64Max, int64Max, int64Max].map(before)
    )
  })

  it("keeps what does not count from a ledger, a negation of nothing too", () => {
    for (const predicate of [always, before(7n)]) assert.strictEqual(resolvedPredicate(predicate, 100n), predicate)
    assert.deepStrictEqual(resolvedPredicate(not(null), 100n), not(null))
  })

  it("has every term resolved, in its place", () => {
    const given = and(or(within(1n), before(2n)), not(and(always, within(3n))))
    assert.deepStrictEqual(resolvedPredicate(given, 100n), and(or(before(101n), before(2n)), not(and(always, before(103n)))))
  })
})

describe("a stored predicate", () => {
  it("ends with the ledger before its time", () => {
    assert.deepStrictEqual([99n, 100n, 101n].map((closeTime) => holds(before(100n), closeTime)), [true, false, false])
    assert.deepStrictEqual([99n, 100n, 101n].map((closeTime) => holds(not(before(100n)), closeTime)), [false, true, true])
  })

  it("holds with both of two terms, or with one of two", () => {
    const pairs = [[always, always], [always, never], [never, always], [never, never]] as const
    assert.deepStrictEqual(pairs.map((terms) => holds(and(...terms), 1n)), [true, false, false, false])
    assert.deepStrictEqual(pairs.map((terms) => holds(or(...terms), 1n)), [true, true, true, false])
  })
})
