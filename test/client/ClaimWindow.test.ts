import { assert, describe, it } from "@effect/vitest"
import { mayEverBeClaimed } from "../../src/client/ClaimWindow.ts"
import type { ClaimPredicate } from "../../src/domain/ClaimPredicate.ts"

const [own, other] = ["GOWN", "GOTHER"]
const before = (absBeforeEpoch: string): ClaimPredicate => ({ type: "before_absolute_time", absBeforeEpoch })
const not = (predicate: ClaimPredicate): ClaimPredicate => ({ type: "not", predicate })

/** At the second 1,000, where clocks may differ by a minute. */
const mayBe = (predicate: ClaimPredicate | null, destination = own): boolean => mayEverBeClaimed([{ destination, predicate }], own, 1_000)

describe("a claimable balance", () => {
  it("can never be claimed once its time is over by any clock", () => {
    assert.isFalse(mayBe(before("940")))
    assert.isTrue(mayBe(before("941")))
    assert.isTrue(mayBe(not(before("9999999999"))), "its time is still to come")
    assert.isFalse(mayBe({ type: "and", predicates: [before("900"), { type: "unconditional" }] }))
    assert.isFalse(mayBe(not({ type: "unconditional" })))
  })

  it("counts as one that can be claimed where that is not known", () => {
    assert.isTrue(mayBe(null))
    assert.isTrue(mayBe(before("1"), other), "the account is not among its claimants")
    assert.isTrue(mayBe({ type: "before_relative_time", relBeforeSeconds: "1" }), "the deadline is not resolved")
    assert.isTrue(mayBe({ type: "and", predicates: [{ type: "before_relative_time", relBeforeSeconds: "1" }, before("1")] }))
  })
})
