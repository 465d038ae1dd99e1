import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { ClaimPredicate } from "../../src/domain/ClaimPredicate.ts"

const always = { type: "unconditional" }
const nested = (levels: number): object =>
  Array.from({ length: levels - 1 }).reduce<object>((predicate) => ({ type: "not", predicate }), always)
const decoded = (predicate: object) => Option.getOrNull(Schema.decodeUnknownOption(ClaimPredicate)(predicate))

describe("a claim predicate", () => {
  it("is read as the ledger admits it: pairs, four levels deep", () => {
    const deepest = {
      type: "or",
      predicates: [nested(3), { type: "and", predicates: [always, { type: "before_absolute_time", absBeforeEpoch: "5" }] }]
    }
    assert.deepStrictEqual(decoded(deepest) as unknown, deepest)
  })

  it("is refused in any other shape, however large", () => {
    assert.isNull(decoded(nested(5)))
    assert.isNull(decoded({ type: "and", predicates: [always] }))
    assert.isNull(decoded({ type: "or", predicates: Array.from({ length: 10_000 }, () => always) }))
    assert.isNull(decoded({ type: "not", predicate: { type: "not", predicate: { type: "not", predicate: { type: "and" } } } }))
    assert.isNull(decoded({ type: "before_absolute_time", absBeforeEpoch: "1".repeat(20) }))
  })

  it("is refused when nested deeper than a stack, not a crash", () => {
    assert.isNull(decoded(nested(100_000)))
  })
})
