import { type Duration, Effect } from "effect"
import { type Fault, Unreachable } from "./Fault.ts"
import { isGivenUp, type Patience, silentTooLong, untilGivenUp } from "./Patience.ts"
import { timelyOr } from "./Stalls.ts"

/** What is known of a question beforehand. */
export interface Asking {
  /** How long its answer is waited for at most, where no request waits, or where the answer has to be searched for. */
  readonly most: Duration.Duration
  /** The endpoint searches for the answer, which may take its time without anything being wrong. */
  readonly searched?: boolean
}

const late = () => new Unreachable({ reason: "time-out" })

/** Not asked any more: the request has waited for that endpoint for as long as it will. */
export const givenUp = new Unreachable({ reason: "hangs", givenUp: true })

/** Asks one endpoint for as long as it is worth waiting for it: by the patience of the request, where there is one. */
export const waitedFor =
  (url: URL, { most, searched = false }: Asking, patience: Patience | null) =>
  <A, R>(attempt: Effect.Effect<A, Fault, R>): Effect.Effect<A, Fault, R> => {
    if (patience === null) return timelyOr(most, late)(attempt)
    if (isGivenUp(patience, url)) return Effect.fail(givenUp)
    const cut = Effect.suspend(() => Effect.fail(isGivenUp(patience, url) ? givenUp : late()))
    return searched
      ? Effect.raceFirst(timelyOr(most, late)(attempt), Effect.zipRight(untilGivenUp(patience, url), cut))
      : Effect.raceFirst(attempt, Effect.zipRight(silentTooLong(patience, url), cut))
  }
