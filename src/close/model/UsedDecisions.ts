import type { DecisionPoint } from "../../domain/Decision.ts"
import { isSpent } from "./NotOffered.ts"
import type { Situation } from "./Situation.ts"

/** Ids of the answers whose question is asked, and that have something left to do. */
export const answersInUse = ({ input }: Situation, points: ReadonlyArray<DecisionPoint>): ReadonlySet<string> =>
  new Set(points.filter((point) => input.answers.has(point.id) && !isSpent(input, point)).map(({ id }) => id))

/** Ids of the answers whose subject is not there (any more): harmless, so that a caller may repeat all answers in every round. */
export const unusedAnswers = ({ input }: Situation, used: ReadonlySet<string>): ReadonlyArray<string> =>
  [...input.answers.keys()].filter((id) => !used.has(id))
