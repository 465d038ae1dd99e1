import { Context, Effect, Layer } from "effect"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { inTurns, type Stoppable } from "../../chain/pace/Turns.ts"
import type { ServiceBusy } from "../../domain/failure/Upstream.ts"
import { type ConcurrencyLimiter, concurrencyLimiter } from "./ConcurrencyLimiter.ts"
import { EventLoopLoad } from "./EventLoopLoad.ts"
import { Requester } from "./Requester.ts"

/** Closes computed at the same time, in turns of the event loop: more make each of them slower and none of them earlier. */
export const mostAtOnce = 4

/**
 * Reads, plans and builds of one network under way at the same time, while the event loop has time to spare: reading mostly waits for
 * others. Without time to spare they are as few as are computed at once, for too many would all run out of time.
 */
const mostCloses = 16

/** How many closes are under way and computed at the same time, and how long a request waits for its turn. */
export class ComputingBounds extends Context.Reference<ComputingBounds>()("closeout/close/ComputingBounds", {
  defaultValue: () => ({ atOnce: mostAtOnce, closes: mostCloses, shareOfDeadline: 0.5 })
}) {}

/** How long it takes to compute a close before any was measured, in milliseconds. */
const firstComputing = 100

/**
 * Concurrency limit of computing closes, with fair queueing. A plan or a build that was admitted and has read its account waits
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
      const computing = concurrencyLimiter(
        { name: "compute", network: null, atOnce, most: atOnce, shareOfDeadline, firstGuess: firstComputing },
        looks()
      )
      return Computing.of({ run: (work) => computing(inTurns(work)) })
    })
  )
}

/** How long a request takes before any was measured, in milliseconds. */
const firstGuess = 500

/** What a request does. Each kind is served in turn with the others of the same caller: many reads do not hold up a plan. */
type RequestKind = "close" | "read"

/**
 * Admission control of one network: reads, plans and builds wait here before anything is read for them. The number under way is bounded, and
 * callers are served in fair turns. Each network has its own turns, so one whose sources hang never holds up another.
 */
export class Admission extends Context.Tag("closeout/close/Admission")<Admission, {
  /** Admits a request, or fails with `ServiceBusy` where its turn would come later than half its deadline. */
  readonly admit: (kind: RequestKind) => ConcurrencyLimiter
}>() {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function*() {
      const { network } = yield* NetworkSettings
      const { atOnce, closes, shareOfDeadline } = yield* ComputingBounds
      const { looks } = yield* EventLoopLoad
      const turn = concurrencyLimiter(
        { name: "close", network, atOnce: Math.min(atOnce, closes), most: closes, shareOfDeadline, firstGuess },
        looks()
      )
      return Admission.of({
        admit: (kind) => (work) =>
          Effect.flatMap(Requester, (asker) => Effect.provideService(turn(work), Requester, { ...asker, path: [...asker.path, kind] }))
      })
    })
  )
}

/** Admits a read on the network whose services are provided. */
export const admittedRead = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | ServiceBusy, R | Admission> =>
  Effect.flatMap(Admission, ({ admit }) => admit("read")(work))
