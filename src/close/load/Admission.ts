import { Context, Effect, Layer } from "effect"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { ServiceBusy } from "../../domain/failure/Upstream.ts"
import { ComputingBounds } from "./Computing.ts"
import { type ConcurrencyLimiter, concurrencyLimiter } from "./ConcurrencyLimiter.ts"
import { EventLoopLoad } from "./EventLoopLoad.ts"
import { Requester } from "./Requester.ts"

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
