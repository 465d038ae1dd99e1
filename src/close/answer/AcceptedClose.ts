import { Effect } from "effect"
import type { Decision } from "../../domain/Decision.ts"
import { Computing } from "../load/Admission.ts"
import { tighterSlippages } from "../project/MinReceived.ts"
import type { Projection } from "../project/Projection.ts"
import { type Completing, SituationReader } from "../read/SituationReader.ts"
import type { PlanFailure } from "../situation/BuildFailure.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import type { Situation } from "../situation/Situation.ts"
import { type AppliedDecisions, appliedIn, withApplied } from "./AppliedDecisions.ts"
import { checkedProjection } from "./CheckedProjection.ts"

/** A close as it was read and played. */
export interface PlayedClose {
  readonly situation: Situation
  readonly projected: Projection
  /** The recommended options that were applied; null: the request accepts none. */
  readonly applied: ReadonlyArray<Decision> | null
}

/** Times that options are applied: one that is applied may bring up another question. */
const mostTurns = 4

/**
 * Reads a close and plays it with the recommended options of its own points applied: first as a plan does, which offers them, then for its
 * purpose. The floors of a build are raised where they would not guarantee what was accepted.
 */
export const acceptedClose = Effect.gen(function*() {
  const reader = yield* SituationReader
  const computing = yield* Computing

  const settle = (input: CloseInput, purpose: "plan" | "build") =>
    Effect.fnUntraced(function*(complete: Completing) {
      const played = (asked: CloseInput, as: "plan" | "build") =>
        Effect.flatMap(complete(asked, as), (situation) =>
          Effect.map(checkedProjection(computing, situation), (projected) => ({ situation, projected })))
      let applied: AppliedDecisions = new Map()
      let [asked, close] = [input, yield* played(input, "plan")]
      for (let turn = 0; turn < mostTurns; turn++) {
        applied = appliedIn(input, close.projected, applied)
        const wanted = withApplied(asked, applied, close.projected)
        if (wanted === asked && (purpose === "plan" || turn > 0)) {
          break
        }
        asked = wanted
        close = yield* played(asked, purpose)
      }
      for (const mostSlippageBps of purpose === "build" ? tighterSlippages(close.situation, close.projected) : []) {
        close = yield* played({ ...asked, mostSlippageBps }, purpose)
        if (tighterSlippages(close.situation, close.projected).length === 0) {
          break
        }
      }
      const asks = new Set(close.projected.points.map(({ id }) =>
        id
      ))
      return { ...close, applied: [...applied.values()].filter(({ id }) => asks.has(id)) }
    })

  return (input: CloseInput, purpose: "plan" | "build"): Effect.Effect<PlayedClose, PlanFailure> =>
    reader.settled(input, purpose, settle(input, purpose))
})
