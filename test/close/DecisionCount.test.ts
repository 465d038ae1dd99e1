import { assert, describe, it } from "@effect/vitest"
import { tooLarge } from "../../src/close/answer/Refusals.ts"
import { maxDecisions } from "../../src/close/situation/Decisions.ts"
import type { DecisionPoint } from "../../src/domain/Decision.ts"

const point = (type: DecisionPoint["type"], index: number): DecisionPoint => ({
  id: `${type}:${index}`,
  type,
  subject: "",
  about: { kind: "later", ledger: 1 },
  options: [],
  default: null,
  required: true,
  answered: false
})

const many = (type: DecisionPoint["type"], count: number) => Array.from({ length: count }, (_, index) => point(type, index))

/** A close without positions. */
const nothing = { exits: { planned: [] } }

describe("the questions of a close", () => {
  it("are at most as many as one call can answer", () => {
    assert.isNull(tooLarge(nothing, { points: many("sponsorship", maxDecisions) }))
    assert.deepInclude(tooLarge(nothing, { points: many("sponsorship", maxDecisions + 1) }), {
      _tag: "AccountTooLarge",
      limit: maxDecisions
    })
  })

  it("are never too many for claimable balances alone", () => {
    assert.isNull(tooLarge(nothing, { points: [...many("claim", maxDecisions), ...many("claims", maxDecisions), ...many("asset", 10)] }))
  })

  it("are never too many for positions that others can give, and for those of the owner they are", () => {
    const points = many("position", maxDecisions + 1)
    const gift = { cameLater: false, wasSeen: false, leftSince: false }
    const given = { exits: { planned: points.map(({ id }) => ({ id, gift })) } }
    assert.isNull(tooLarge(given, { points: [...points, ...many("positions", 10), ...many("sponsorship", maxDecisions)] }))
    const owned = { exits: { planned: points.map(({ id }) => ({ id })) } }
    assert.deepInclude(tooLarge(owned, { points }), { _tag: "AccountTooLarge", limit: maxDecisions })
  })
})
