import { Duration } from "effect"
import type { Getter } from "../../../chain/Getter.ts"
import { controlGetter } from "../../../tokens/ControlGetter.ts"
import { longestAnswer } from "../../../tokens/TokenQuery.ts"

/** How long the simulation of a call is waited for, and when a missing answer counts as the call's own failure. */
export interface AnswerLimit {
  /** The longest wait for one answer once it was requested. */
  readonly longest: Duration.Duration
  /** How often the call is simulated in vain before it counts as failed. */
  readonly attempts: number
  /** What every node answers: a source that answers it, but not the call, is in order. */
  readonly control: Getter
}

/** For a call of a token of unknown code. */
export const tokenLimit = (passphrase: string): AnswerLimit => ({ longest: longestAnswer, attempts: 1, control: controlGetter(passphrase) })

/** For the exit of a mere gift: short waits, so that no stranger delays a close. */
export const giftLimit = (passphrase: string): AnswerLimit => ({ ...tokenLimit(passphrase), attempts: 2 })

/**
 * For the exit of a position that the owner opened or wants to leave: long waits, so that a slow source does not look like a failed exit.
 * Each is less than what makes an endpoint count as hanging (`RpcPolicy.lastSilence`).
 */
export const ownLimit = (passphrase: string): AnswerLimit => ({ ...giftLimit(passphrase), longest: Duration.seconds(5) })
