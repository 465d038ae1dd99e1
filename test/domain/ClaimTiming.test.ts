import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { type ClaimPredicate, holdsAt } from "../../src/domain/ClaimPredicate.ts"
import { holdsFrom, holdsThroughout, spansOf } from "../../src/domain/ClaimTiming.ts"

const before = (at: number): ClaimPredicate => ({ type: "before_absolute_time", absBeforeEpoch: String(at) })
const not = (predicate: ClaimPredicate): ClaimPredicate => ({ type: "not", predicate })

const { predicate: predicates } = FastCheck.letrec<{ predicate: ClaimPredicate }>((tie) => ({
  predicate: FastCheck.oneof(
    { maxDepth: 3 },
    FastCheck.integer({ min: 0, max: 30 }).map(before),
    FastCheck.constant<ClaimPredicate>({ type: "unconditional" }),
    tie("predicate").map(not),
    FastCheck.tuple(tie("predicate"), tie("predicate")).map(([a, b]): ClaimPredicate => ({ type: "and", predicates: [a, b] })),
    FastCheck.tuple(tie("predicate"), tie("predicate")).map(([a, b]): ClaimPredicate => ({ type: "or", predicates: [a, b] }))
  )
}))

const seconds = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => BigInt(from + index))

describe("the time of a claim", () => {
  it("ends strictly before its deadline", () => {
    assert.isTrue(holdsThroughout(spansOf(before(10), 0n), 0n, 9n))
    assert.isFalse(holdsThroughout(spansOf(before(10), 0n), 0n, 10n))
  })

  it("may have a gap that both ends hide", () => {
    const outside: ClaimPredicate = { type: "or", predicates: [before(5), not(before(8))] }
    assert.isFalse(holdsThroughout(spansOf(outside, 1n), 1n, 20n))
    assert.strictEqual(holdsFrom(spansOf(outside, 1n), 6n), 8n)
  })

  it("never comes once a deadline has passed", () => {
    assert.isNull(holdsFrom(spansOf(before(5), 5n), 5n))
  })

  it.prop(
    "agrees with asking for every single second",
    [predicates, FastCheck.nat(30), FastCheck.nat(10), FastCheck.nat(30)],
    ([predicate, from, length, before]) => {
      const spans = spansOf(predicate, BigInt(Math.max(0, from - before)))
      assert.strictEqual(
        holdsThroughout(spans, BigInt(from), BigInt(from + length)),
        seconds(from, from + length).every((at) => holdsAt(predicate, at))
      )
      assert.strictEqual(holdsFrom(spans, BigInt(from)), seconds(from, 70).find((at) => holdsAt(predicate, at)) ?? null)
    }
  )
})
