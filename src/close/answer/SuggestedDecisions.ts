import { BigInt as Big } from "effect"
import { lumen, stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import { type ChoiceEffect, effectOf, losesValue } from "../../domain/ChoiceEffect.ts"
import type { Decision, DecisionPoint } from "../../domain/Decision.ts"
import { feesOfCall } from "../project/MinReceived.ts"
import type { Projection } from "../project/Projection.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import type { Situation } from "../situation/Situation.ts"
import { missingParams } from "./OfferedPoint.ts"

/** Whether an option is never suggested: it costs the owner something, or the owner must agree to it. */
const isOwnersWord = (effect: ChoiceEffect): boolean => losesValue(effect) || effect === "consents"

/** The recommended option of a point as an answer that is ready to be sent; null: there is none, or it needs params of the caller. */
export const recommendedAnswer = (point: DecisionPoint): Decision | null => {
  if (point.type === "destination") return null
  const option = point.options.find((one) => one.recommended === true && missingParams(point.id, one).length === 0)
  if (option === undefined || isOwnersWord(effectOf(option.id))) return null
  return { id: point.id, choice: option.id, ...(option.params === undefined ? {} : { params: option.params }) }
}

/** The answer that leaves behind what comes later, from the point that every plan has. A given one is repeated as it is. */
const laterAnswer = ({ input }: Pick<Situation, "input">, { id, options }: DecisionPoint): ReadonlyArray<Decision> =>
  options.slice(0, 1).map((option) => ({
    id,
    choice: option.id,
    params: input.later === null ? { ...option.params, maxLumensEach: stroops(lumen) } : option.params ?? {}
  }))

/** Every recommended option that no answer of the request is about, and always what leaves behind what comes later. */
export const suggestedDecisions = (
  situation: Pick<Situation, "input">,
  points: ReadonlyArray<DecisionPoint>
): ReadonlyArray<Decision> =>
  points.flatMap((point) => {
    if (point.id === DecisionId.later) return laterAnswer(situation, point)
    return situation.input.given.has(point) ? [] : recommendedAnswer(point) ?? []
  })

/** What a projection takes a sale of an asset to bring at least, stroops. */
const projectedFloor = ({ transactions }: Pick<Projection, "transactions">, id: string): bigint =>
  transactions.flatMap(({ groups }) => groups).reduce(
    (sum, { disposed, quoted }) =>
      disposed !== null && disposed.asset !== native && DecisionId.asset(disposed.asset) === id ? sum + quoted.floor : sum,
    0n
  )

/**
 * Stroops that suggested sales through contracts may bring less than what is projected while they are not decided: their calls may cost more
 * than they pay beyond the books.
 */
export const suggestedAtRisk = (situation: Situation, projected: Projection): bigint =>
  projected.points.reduce((sum, point) => {
    const answer = situation.input.answers.has(point) ? null : recommendedAnswer(point)
    const option = point.options.find(({ id }) => id === answer?.choice)
    if (answer?.params?.minReceive === undefined || option?.quote?.source === undefined) return sum
    const least = Big.max(answer.params.minReceive - feesOfCall(situation), 0n)
    return sum + Big.max(projectedFloor(projected, point.id) - least, 0n)
  }, 0n)
