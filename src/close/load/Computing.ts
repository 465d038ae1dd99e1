import { Context, Effect, Layer } from "effect"
import { inTurns, type Stoppable } from "../../chain/pace/Turns.ts"
import type { ServiceBusy } from "../../domain/failure/Upstream.ts"
import { concurrencyLimiter } from "./ConcurrencyLimiter.ts"
import { EventLoopLoad } from "./EventLoopLoad.ts"

/** Closes computed at the same time, in turns of the event loop: more make each of them slower and none of them earlier. */
export const mostAtOnce = 4

/**
 * Reads, plans and builds of one network under way at the same time, while the event loop has time to spare: reading mostly waits for
 * others. Without time to spare they are as few as are computed at once, for too many would all run out of time.
 */
export const mostCloses = 16

/** How many closes are under way and computed at the same time, and how long a request waits for its turn. */
export class ComputingBounds extends Context.Reference<ComputingBounds>()("closeout/close/ComputingBounds", {
  defaultValue: () => ({ atOnce: mostAtOnce, closes: mostCloses, shareOfDeadline: 0.5 })
}) {}

/** How long it takes to compute a close before any was measured, in milliseconds. */
const firstGuess = 100

/**
 * Concurrency limit of computing closes, with fair queueing. A plan or a build that was admitted (`Admission.ts`) and has read its account waits
 * here for a turn of the event loop.
 */
export class Computing extends Context.Tag("closeout/close/Computing")<Computing, {
  /** Computes when it is its turn. Fails with `ServiceBusy` when that would be later than half of the request's deadline. */
  readonly run: <A>(work: () => Stoppable<A>) => Effect.Effect<A, ServiceBusy>
}>() {
  /** One for the process: there is one event loop. */
  static readonly layer = Layer.effect(
    Computing,
    Effect.zipWith(ComputingBounds, EventLoopLoad, ({ atOnce, shareOfDeadline }, { looks }) => {
      const computing = concurrencyLimiter({ name: "compute", network: null, atOnce, most: atOnce, shareOfDeadline, firstGuess }, looks())
      return Computing.of({ run: (work) => computing(inTurns(work)) })
    })
  )
}
