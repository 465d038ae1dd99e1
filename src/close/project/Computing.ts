import { Context, Effect, Layer } from "effect"
import { inTurns, type Stoppable } from "../../chain/Turns.ts"
import type { ServiceBusy } from "../../domain/failure/Upstream.ts"
import { type Turnstile, turnstile } from "./Turnstile.ts"

/** Closes computed at the same time, in turns of the event loop: more make each of them slower and none of them earlier. */
export const mostAtOnce = 4

/**
 * Closes under way at the same time, from the first thing that is read on. Reading mostly waits for others, so there are more of them;
 * but what is read is decoded and compared here, and too many at once would all run out of time.
 */
export const mostCloses = 12

/** How much is under way and computed at the same time, and how long a request waits for its turn. */
export class ComputingBounds extends Context.Reference<ComputingBounds>()("closeout/close/ComputingBounds", {
  defaultValue: () => ({ atOnce: mostAtOnce, closes: mostCloses, shareOfDeadline: 0.5 })
}) {}

/** How long it takes to compute a close, and to read and compute one, before any was measured, in milliseconds. */
const firstComputing = 100
const firstClose = 500

/**
 * Whoever plans or builds a close waits here twice: to begin, before anything is read for it, and for a turn to compute it. Turns are
 * bounded and fair: an owner with many requests is served once for each of the others.
 */
export class Computing extends Context.Tag("closeout/close/Computing")<Computing, {
  /** Reads and computes one close; the work itself computes by `run`. */
  readonly close: Turnstile
  /** Computes when it is its turn. Fails with `ServiceBusy` when that would be later than half of what the request may take. */
  readonly run: <A>(work: () => Stoppable<A>) => Effect.Effect<A, ServiceBusy>
}>() {
  /** One for the process: there is one event loop. */
  static readonly layer = Layer.effect(
    Computing,
    Effect.map(ComputingBounds, ({ atOnce, closes, shareOfDeadline }) => {
      const computing = turnstile({ atOnce, shareOfDeadline, firstGuess: firstComputing })
      return Computing.of({
        close: turnstile({ atOnce: closes, shareOfDeadline, firstGuess: firstClose }),
        run: (work) => computing(inTurns(work))
      })
    })
  )
}
