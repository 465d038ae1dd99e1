import type { AnswerFailure } from "../../situation/AnswerFailure.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import type { Situation } from "../../situation/Situation.ts"
import { countOthers } from "./TokenPoints.ts"
import { allowanceProblem, exceedsCount, saleProblem, tokenProblem, unreadableFailure } from "./TokenProblems.ts"

/** Answers about tokens and allowances that cannot be carried out as they were given: another answer can. */
export const tokenFailures = (situation: Situation): ReadonlyArray<{ readonly id: string; readonly failure: AnswerFailure }> => {
  const { allowances, sales, tokens, unreadable } = situation.tokenWork
  const others = exceedsCount(situation.input.answers.otherTokens, countOthers(situation))
  const found = [
    ...tokens.map((one) => ({ id: one.id, failure: one.fate === "asked" ? tokenProblem(situation, one)?.failure ?? null : null })),
    ...sales.map((one) => ({ id: one.id, failure: saleProblem(situation, one)?.failure ?? null })),
    ...unreadable.map((one) => ({ id: one.id, failure: unreadableFailure(one) })),
    ...allowances.map((one) => ({ id: one.id, failure: allowanceProblem(situation, one)?.failure ?? null })),
    { id: DecisionId.otherTokens, failure: others }
  ]
  return found.flatMap(({ failure, id }) => (failure === null ? [] : [{ id, failure }]))
}
