import { Duration, Effect } from "effect"
import { steadyNow } from "../fibers/SteadyTime.ts"
import { type Fault, Unreachable } from "./Fault.ts"
import type { LedgerFact } from "./LedgerFacts.ts"
import { AttemptWait, callsTell } from "./pace/AttemptWait.ts"
import { isGivenUp, leftOf, noteSilence, type Patience, silenceOf } from "./pace/Patience.ts"
import { millisWithoutStalls, type Stalls } from "./pace/Stalls.ts"
import { withinBudget } from "./pace/TimeBudget.ts"

/** How long an endpoint is waited for. */
export interface WaitLimits {
  /** How long its answer is waited for at most, where no request waits, or where the answer has to be searched for. */
  readonly most: Duration.Duration
  /** The endpoint searches for the answer, which may take its time without anything being wrong. */
  readonly searched?: boolean
  /**
   * Longest wait for its answer once the request was sent, for requests that may hang on their own account. A wait that runs out is no
   * fault of the endpoint. Left out: as usual.
   */
  readonly brief?: Duration.Duration
  /** When the whole call is over, milliseconds of the clock; left out: never. */
  readonly until?: number
  /** No other endpoint of its kind is up and not queried yet, so this one is waited for longer. */
  readonly isLast?: boolean
}

/** How a question is put whose answer is waited for so long and no longer; undefined: as usual. */
export const withTimeLimit = (brief: Duration.Duration | undefined): Pick<WaitLimits, "brief"> => (brief === undefined ? {} : { brief })

/** The same, and whether an endpoint answered it a moment ago: then that endpoint is not asked again. */
export interface RunOptions<A> extends Pick<WaitLimits, "brief" | "searched"> {
  readonly recall?: LedgerFact<A>["recall"]
  /** Whether its call is made by another question, and counts there. Left out: it makes its own. */
  readonly isGuest?: () => boolean
}

/** Not waited for any more: the whole call has taken as long as it may. It is no fault of the endpoint. */
export const overdue = new Unreachable({ reason: "overdue" })

/** Not waited for any more: the request may hang on its own account (`WaitLimits.brief`). It is no fault of the endpoint either. */
export const unanswered = new Unreachable({ reason: "no response before the deadline" })

const late = new Unreachable({ reason: "time-out" })

/** Not asked any more: the request has waited for that endpoint for as long as it will. */
export const givenUp = new Unreachable({ reason: "hangs", givenUp: true })

/** Asks one endpoint for as long as it is worth waiting for it: by the patience of the request, where there is one. */
export const withinPatience = (
  url: URL,
  { brief, isLast = false, most, searched = false, until = Number.POSITIVE_INFINITY }: WaitLimits,
  patience: Patience | null,
  stalls: Stalls["Type"]
) =>
<A, R>(attempt: Effect.Effect<A, Fault, R>): Effect.Effect<A, Fault, R> => {
  if (isGivenUp(patience, url, isLast)) return Effect.fail(givenUp)
  const silence = patience === null ? null : silenceOf(patience, url)
  return Effect.clockWith((clock) => {
    const now = () => millisWithoutStalls(clock, stalls)
    const wait = new AttemptWait(now)
    const leftOfMost = () => Duration.toMillis(most) - wait.millis
    const worth = (): number => {
      if (silence === null) return leftOfMost()
      if (searched) return isGivenUp(patience, url, isLast) ? 0 : leftOfMost()
      return Math.floor(leftOf(silence, isLast) - wait.millis)
    }
    const leftOfBrief = () => (brief === undefined ? Number.POSITIVE_INFINITY : Duration.toMillis(brief) - wait.millis)
    const left = () => Math.min(until - steadyNow(clock), leftOfBrief(), worth())
    const endpointWasSilent = Effect.suspend(() => {
      if (silence !== null && !searched) noteSilence(silence, now() - wait.millis, now())
      return isGivenUp(patience, url, isLast) ? givenUp : late
    })
    // The least of the three ended the wait. Comparing each with zero would not tell: time without stalls may step back between two readings.
    const cut = (): Effect.Effect<never, Fault> => {
      const [ofCall, ofQuestion, ofEndpoint] = [until - steadyNow(clock), leftOfBrief(), worth()]
      if (ofCall <= Math.min(ofQuestion, ofEndpoint)) return overdue
      return ofQuestion <= ofEndpoint ? unanswered : endpointWasSilent
    }
    return withinBudget({ clock, left, waiting: silence?.waiting ?? new Set() }, cut)(Effect.zipRight(callsTell(wait), attempt))
  })
}
