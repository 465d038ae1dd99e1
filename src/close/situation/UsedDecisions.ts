import type { DecisionPoint } from "../../domain/Decision.ts"
import { InvalidDecisions } from "../../domain/failure/Input.ts"
import type { CloseInput } from "./CloseInput.ts"
import { partlyListed } from "./OpenClaims.ts"
import type { Situation } from "./Situation.ts"

/** Choices that give something away for nothing: none of them is accepted where it is not offered. */
const destructive: ReadonlySet<string> = new Set(["acknowledge_forfeit", "acknowledge_residue", "forfeit", "return_to_issuer"])

/** Choices whose work may be done, or have nothing left to do: then the answer is unused. */
const passing: ReadonlySet<string> = new Set(["buy_repay_asset_then_exit", "exit_without_rewards"])

const isOffered = ({ options }: DecisionPoint, choice: string): boolean => options.some(({ id }) => id === choice)

/** Whether a point's answer has done its work: what it decides is not there any more. */
const isSpent = ({ answers }: Pick<CloseInput, "answers">, point: DecisionPoint): boolean => {
  const choice = answers.to(point)?.choice
  return choice !== undefined && passing.has(choice) && !isOffered(point, choice)
}

/** Answers that would give away what there is a better way for; null: there are none. */
export const unofferedAnswers = (
  { given: answers }: Pick<CloseInput, "given">,
  points: ReadonlyArray<DecisionPoint>
): InvalidDecisions | null => {
  const places = new Map(answers.ids.map((id, index) => [id, index]))
  const issues = points.flatMap((point) => {
    const choice = answers.to(point)?.choice
    if (choice === undefined || !destructive.has(choice) || isOffered(point, choice)) return []
    return [{
      path: `decisions[${places.get(point.id) ?? 0}]`,
      message: `${choice} is not an option of this point now: there is another way. Plan again.`
    }]
  })
  return issues.length === 0 ? null : new InvalidDecisions({ issues: issues.slice(0, 20) })
}

/** Ids of the answers whose decision point exists and that still have an effect. */
export const usedDecisions = ({ input }: Situation, points: ReadonlyArray<DecisionPoint>): ReadonlySet<string> =>
  new Set(points.filter((point) => input.given.has(point) && !isSpent(input, point)).map(({ id }) => id))

/**
 * Ids of the answers whose subject is not there (any more): harmless, so that a caller may repeat all answers in every call. What may only
 * be missing in an incomplete list is not among them.
 */
export const unusedDecisions = ({ input, snapshot }: Situation, used: ReadonlySet<string>): ReadonlyArray<string> => {
  const unsure = new Set(partlyListed(snapshot))
  return input.given.ids.filter((id) => !used.has(id) && !unsure.has(id))
}
