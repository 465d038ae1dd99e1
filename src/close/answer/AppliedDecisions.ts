import type { Decision } from "../../domain/Decision.ts"
import type { Projection } from "../project/Projection.ts"
import { Answers } from "../situation/Answers.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { recommendedAnswer } from "./SuggestedDecisions.ts"

/** Recommended options that are applied, by their decisions. */
export type AppliedDecisions = ReadonlyMap<string, Decision>

/** Those that decide something: the others are what happens without an answer as well. */
const deciding = (applied: AppliedDecisions, { points }: Pick<Projection, "points">): ReadonlyArray<Decision> => {
  const defaults = new Map(points.map((point) => [point.id, point.default]))
  return [...applied.values()].filter(({ choice, id }) => (defaults.get(id) ?? null) !== choice)
}

/**
 * The recommended options of a projection: of every point that no answer of the request is about, those that were applied before as long as
 * they fit what is there, else the ones of now. A point whose applied option no longer fits and which recommends none is left open.
 */
export const appliedIn = (
  { given }: Pick<CloseInput, "given">,
  { points }: Pick<Projection, "points">,
  before: AppliedDecisions
): AppliedDecisions =>
  new Map(
    points.filter((point) => !given.has(point)).flatMap((point) => {
      const known = before.get(point.id)
      const answer = known !== undefined && point.answered ? known : recommendedAnswer(point)
      return answer === null ? [] : [[point.id, answer] as const]
    })
  )

/** A request with these options applied; the request itself where that changes nothing. */
export const withApplied = (input: CloseInput, applied: AppliedDecisions, projected: Pick<Projection, "points">): CloseInput => {
  const added = deciding(applied, projected)
  const isKnown = added.length + input.given.all.length === input.answers.all.length &&
    added.every((answer) => input.answers.to(answer) === answer)
  return isKnown ? input : { ...input, answers: new Answers([...input.given.all, ...added]) }
}
