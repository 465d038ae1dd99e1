import { assert, describe, it } from "@effect/vitest"
import { maxAnswers } from "../../src/close/model/Answers.ts"
import { tooLarge } from "../../src/close/answer/Refusals.ts"
import type { DecisionPoint } from "../../src/domain/Decision.ts"

const point = (type: DecisionPoint["type"], index: number): DecisionPoint => ({
  id: `${type}:${index}`,
  type,
  subject: "",
  options: [],
  default: null,
  required: true,
  answered: false
})

const many = (type: DecisionPoint["type"], count: number) => Array.from({ length: count }, (_, index) => point(type, index))

describe("the questions of a close", () => {
  it("are at most as many as one call can answer", () => {
    assert.isNull(tooLarge({ points: many("sponsorship", maxAnswers) }))
    assert.deepInclude(tooLarge({ points: many("sponsorship", maxAnswers + 1) }), { _tag: "AccountTooLarge", limit: maxAnswers })
  })

  it("are never too many for claimable balances alone", () => {
    assert.isNull(tooLarge({ points: [...many("claim", maxAnswers), ...many("claims", maxAnswers), ...many("asset", 10)] }))
  })
})
