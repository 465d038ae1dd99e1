import { type Context, Effect } from "effect"
import { type Stoppable, yieldTurn } from "../../chain/pace/Turns.ts"
import type { InvalidDecisions, InvalidFeePayer } from "../../domain/failure/Input.ts"
import type { AccountTooLarge } from "../../domain/failure/Planning.ts"
import type { ServiceBusy } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import type { Computing } from "../load/Admission.ts"
import { project, type Projection } from "../project/Projection.ts"
import type { Situation } from "../situation/Situation.ts"
import { unofferedAnswers, usedDecisions } from "../situation/UsedDecisions.ts"
import { factsOf, planHash } from "./PlanHash.ts"
import { feePayerRefusal, tooLarge } from "./Refusals.ts"

/** The projection of a close whose request fits it. Plan and build reject the same requests. */
export const checkedProjection = (
  computing: Context.Tag.Service<Computing>,
  situation: Situation
): Effect.Effect<Projection, AccountTooLarge | InvalidDecisions | InvalidFeePayer | ServiceBusy> =>
  Effect.gen(function*() {
    const projected = yield* computing.run(() => project(situation))
    yield* yieldTurn
    const unfit = unofferedAnswers(situation.input, projected.points) ?? tooLarge(situation, projected) ??
      feePayerRefusal(situation, projected)
    return unfit === null ? projected : yield* unfit
  })

/** The decisions in use, and the plan hash over them. Yields between its parts: a large account takes a while. */
export function* planHashOf(
  network: Network,
  situation: Situation,
  { points }: Pick<Projection, "points">
): Stoppable<{ readonly used: ReadonlySet<string>; readonly hash: string }> {
  const used = usedDecisions(situation, points)
  const facts = factsOf(situation, situation.ledgerState)
  yield
  return { used, hash: planHash(network, situation.input, used, facts) }
}
