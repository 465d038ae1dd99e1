import { Context, Effect, Layer } from "effect"
import { inTurns, type Stoppable } from "../../chain/pace/Turns.ts"
import type { ServiceBusy } from "../../domain/failure/Upstream.ts"
import { LoopLoad } from "./LoopLoad.ts"
import { turnstile } from "./Turnstile.ts"

/** Closes computed at the same time, in turns of the event loop: more make each of them slower and none of them earlier. */
export const mostAtOnce = 4

/**
 * Reads, plans and builds of one network under way at the same time, while the event loop has time to spare: reading mostly waits for
 * others. Without time to spare they are as few as are computed at once, for too many would all run out of time.
 */
export const mostCloses = 16

/** How much is under way and computed at the same time, and how long a request waits for its turn. */
export class ComputingBounds extends Context.Reference<ComputingBounds>()("closeout/close/ComputingBounds", {
  defaultValue: () => ({ atOnce: mostAtOnce, closes: mostCloses, shareOfDeadline: 0.5 })
}) {}

/** How long it takes to compute a close before any was measured, in milliseconds. */
const firstGuess = 100

/**
 * A plan or a build that was admitted (`Admission.ts`) and has read its account waits here for a turn to compute it. Turns are bounded and
 * fair: an owner with many requests is served once for each of the others.
 */
export class Computing extends Context.Tag("closeout/close/Computing")<Computing, {
  /** Computes when it is its turn. Fails with `ServiceBusy` when that would be later than half of what the request may take. */
  readonly run: <A>(work: () => Stoppable<A>) => Effect.Effect<A, ServiceBusy>
}>() {
  /** One for the process: there is one event loop. */
  static readonly layer = Layer.effect(
    Computing,
    Effect.zipWith(ComputingBounds, LoopLoad, ({ atOnce, shareOfDeadline }, { looks }) => {
      const computing = turnstile({ name: "compute", network: null, atOnce, most: atOnce, shareOfDeadline, firstGuess }, looks())
      return Computing.of({ run: (work) => computing(inTurns(work)) })
    })
  )
}
