import { Clock, Context, Deferred, Duration, Effect, Exit, Layer } from "effect"
import { inTurns, type Stoppable } from "../../chain/Turns.ts"
import { ServiceBusy } from "../../domain/failure/Upstream.ts"
import { FairQueue } from "./FairQueue.ts"
import { Requester } from "../model/Requester.ts"

/** Closes computed at the same time, in turns of the event loop: more make each of them slower and none of them earlier. */
export const mostAtOnce = 4

/** How much is computed at the same time, and how long a request waits for its turn. */
export class ComputingBounds extends Context.Reference<ComputingBounds>()("closeout/close/ComputingBounds", {
  defaultValue: () => ({ atOnce: mostAtOnce, shareOfDeadline: 0.5 })
}) {}

/** How long one takes before any was measured, in milliseconds. */
const firstGuess = 100

const weightOfNewest = 0.2

type Waiter = Deferred.Deferred<void>

interface Desk {
  readonly bounds: Context.Tag.Service<ComputingBounds>
  readonly queue: FairQueue<Waiter>
  free: number
  /** Moving average over what was computed, in milliseconds. */
  usual: number
}

const busy = (millis: number) => new ServiceBusy({ retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(millis / 1_000))) })

/** Lets whoever is next begin. */
const release = (desk: Desk): Effect.Effect<void> =>
  Effect.suspend(() => {
    const next = desk.queue.shift()
    if (next !== undefined) return Effect.asVoid(Deferred.succeed(next, undefined))
    desk.free++
    return Effect.void
  })

/** Gives up waiting; a turn that was given meanwhile goes to the next. */
const leave = (desk: Desk, path: ReadonlyArray<string>, waiter: Waiter): Effect.Effect<void> =>
  Effect.suspend(() => (desk.queue.remove(path, waiter) ? Effect.void : release(desk)))

/** Waits for a turn, at most half of what the request may take; refused at once where the wait is known to be longer. */
const admit = (desk: Desk): Effect.Effect<void, ServiceBusy> =>
  Effect.gen(function*() {
    const { deadline, path } = yield* Requester
    if (desk.free > 0) {
      desk.free--
      return
    }
    const longest = Duration.toMillis(deadline) * desk.bounds.shareOfDeadline
    const expected = ((desk.queue.ahead(path) + 1) * desk.usual) / desk.bounds.atOnce
    if (expected > longest) return yield* busy(expected)
    const waiter = yield* Deferred.make<void>()
    desk.queue.push(path, waiter)
    yield* Effect.interruptible(Effect.timeoutFail(Deferred.await(waiter), { duration: longest, onTimeout: () => busy(desk.usual) })).pipe(
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : leave(desk, path, waiter)))
    )
  })

/**
 * Whoever plans or builds a close waits here for a turn to compute it. Turns are bounded and fair: an owner with many requests is served
 * once for each of the others.
 */
export class Computing extends Context.Tag("closeout/close/Computing")<Computing, {
  /** Runs the work when it is its turn. Fails with `ServiceBusy` when that would be later than half of what the request may take. */
  readonly run: <A>(work: () => Stoppable<A>) => Effect.Effect<A, ServiceBusy>
}>() {
  /** One for the process: there is one event loop. */
  static readonly layer = Layer.effect(
    Computing,
    Effect.map(ComputingBounds, (bounds) => {
      const desk: Desk = { bounds, queue: new FairQueue(), free: bounds.atOnce, usual: firstGuess }
      const measured = <A>(work: () => Stoppable<A>) =>
        Effect.gen(function*() {
          const start = yield* Clock.currentTimeMillis
          const made = yield* inTurns(work)
          desk.usual += weightOfNewest * ((yield* Clock.currentTimeMillis) - start - desk.usual)
          return made
        })
      return Computing.of({ run: (work) => Effect.acquireUseRelease(admit(desk), () => measured(work), () => release(desk)) })
    })
  )
}
