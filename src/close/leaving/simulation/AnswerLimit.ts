import { type Array as Arr, Duration } from "effect"
import type { Getter } from "../../../chain/Getter.ts"
import { longestAnswer } from "../../../chain/RpcPolicy.ts"
import { controlGetter } from "../../../tokens/ControlGetter.ts"

/** How long the simulation of a call is waited for, and when a missing answer counts as the call's own failure. */
export interface AnswerLimit {
  /** The longest wait for each answer once it was requested: the call is simulated so often before it counts as failed. */
  readonly waits: Arr.NonEmptyReadonlyArray<Duration.Duration>
  /** What every node answers: a source that answers it, but not the call, is in order. */
  readonly control: Getter
}

/** For a call of a token of unknown code. */
export const tokenLimit = (passphrase: string): AnswerLimit => ({ waits: [longestAnswer], control: controlGetter(passphrase) })

/** For the exit of a mere gift: short waits, so that no stranger delays a close. */
export const giftLimit = (passphrase: string): AnswerLimit => ({ ...tokenLimit(passphrase), waits: [longestAnswer, longestAnswer] })

/** A wait that a slow source meets, less than what makes the last endpoint count as hanging (`RpcPolicy.lastSilence`). */
export const patientWait = Duration.seconds(5)

/** For the exit of a position that the owner opened or wants to leave: a slow source must not look like a failed exit. */
export const ownLimit = (passphrase: string): AnswerLimit => ({ ...tokenLimit(passphrase), waits: [patientWait, longestAnswer] })
