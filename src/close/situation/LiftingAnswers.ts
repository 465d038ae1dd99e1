import type { Decision } from "../../domain/Decision.ts"
import type { PlannedExit } from "./PlannedExit.ts"
import { mayGiveUpRewards } from "./UnclaimedRewards.ts"

/** A choice at a decision point that ends what blocks. */
export type LiftingAnswer = Pick<Decision, "id" | "choice">

/** Answers that end what keeps a position from being left: it is given up, or one of these choices. */
export const waysPast = (one: PlannedExit, ...choices: ReadonlyArray<string>): ReadonlyArray<LiftingAnswer> =>
  ["acknowledge_forfeit", ...choices].map((choice) => ({ id: one.id, choice }))

/** The same where rewards may be what fails. */
export const waysPastRewards = (one: PlannedExit): ReadonlyArray<LiftingAnswer> =>
  mayGiveUpRewards(one) ? waysPast(one, "exit_without_rewards") : waysPast(one)
