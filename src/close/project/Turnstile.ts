import { Clock, Deferred, Duration, Effect, Exit } from "effect"
import { ServiceBusy } from "../../domain/failure/Upstream.ts"
import { Requester } from "../model/Requester.ts"
import { FairQueue } from "./FairQueue.ts"
import { lookEvery, spareTime } from "./LoopLoad.ts"
import { turnMetrics, type TurnName } from "./TurnMetrics.ts"

const weightOfNewest = 0.2

/** Whoever had to wait begins only where so many times the usual is left: otherwise they would run out of time with nothing to show for it. */
const timesUsual = 1.5

/** How many pass at the same time, and how long a request waits for its turn. */
export interface TurnstileBounds {
  /** By what metrics call it. */
  readonly name: TurnName
  readonly atOnce: number
  /** How many while the event loop has time to spare, because those under way wait for others: one more at each look. */
  readonly most: number
  readonly shareOfDeadline: number
  /** How long one takes before any was measured, in milliseconds. */
  readonly firstGuess: number
}

type Waiter = Deferred.Deferred<void>

interface Desk {
  readonly bounds: TurnstileBounds
  readonly queue: FairQueue<Waiter>
  /** Below zero where more than `atOnce` are under way. */
  free: number
  /** Whether there was time to spare at the last look. */
  idle: boolean
  readonly look: () => boolean | null
  /** Moving average over what passed, in milliseconds. */
  usual: number
  readonly metrics: ReturnType<typeof turnMetrics>
}

const busy = (millis: number) => new ServiceBusy({ retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(millis / 1_000))) })

/** Lets whoever is next begin. */
const release = (desk: Desk): Effect.Effect<void> =>
  Effect.suspend(() => {
    const next = desk.free < 0 ? undefined : desk.queue.shift()
    if (next !== undefined) return Effect.asVoid(Deferred.succeed(next, undefined))
    desk.free++
    return Effect.void
  })

/** Lets one more begin where the event loop has time to spare. */
const letMore = (desk: Desk): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { atOnce, most } = desk.bounds
    const seen = desk.look()
    desk.idle = seen ?? desk.idle
    const next = seen === true && atOnce - desk.free < most ? desk.queue.shift() : undefined
    if (next === undefined) return Effect.void
    desk.free--
    return Effect.asVoid(Deferred.succeed(next, undefined))
  })

const turnOf = (desk: Desk, waiter: Waiter): Effect.Effect<void> => {
  const turn = Deferred.await(waiter)
  return desk.bounds.most <= desk.bounds.atOnce ? turn : Effect.raceFirst(turn, Effect.forever(Effect.delay(letMore(desk), lookEvery)))
}

/** Gives up waiting; a turn that was given meanwhile goes to the next. */
const leave = (desk: Desk, path: ReadonlyArray<string>, waiter: Waiter): Effect.Effect<void> =>
  Effect.suspend(() => (desk.queue.remove(path, waiter) ? Effect.void : release(desk)))

/**
 * Waits for a turn, at most half of what the request may take; refused at once where the wait is known to be longer, and where it has
 * become too late to begin.
 */
const admit = (desk: Desk): Effect.Effect<void, ServiceBusy> =>
  Effect.gen(function*() {
    const { deadline, path } = yield* Requester
    if (desk.free > 0) {
      desk.free--
      return
    }
    const longest = Duration.toMillis(deadline) * desk.bounds.shareOfDeadline
    const expected = ((desk.queue.ahead(path) + 1) * desk.usual) /
      (desk.idle ? Math.max(desk.bounds.most, desk.bounds.atOnce) : desk.bounds.atOnce)
    if (expected > longest) return yield* busy(expected)
    const start = yield* Clock.currentTimeMillis
    const waiter = yield* Deferred.make<void>()
    desk.queue.push(path, waiter)
    desk.metrics.note({ waiting: desk.queue.size, running: desk.bounds.atOnce - desk.free })
    yield* Effect.interruptible(Effect.timeoutFail(turnOf(desk, waiter), { duration: longest, onTimeout: () => busy(desk.usual) })).pipe(
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : leave(desk, path, waiter)))
    )
    const left = Duration.toMillis(deadline) - ((yield* Clock.currentTimeMillis) - start)
    if (desk.usual * timesUsual > left) return yield* Effect.zipRight(release(desk), busy(desk.usual))
  })

/** Runs work when it is its turn: turns are bounded and fair. Fails with `ServiceBusy` when that would be later than half of what the request may take. */
export type Turnstile = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceBusy, R>

export const turnstile = (bounds: TurnstileBounds): Turnstile => {
  const desk: Desk = {
    bounds,
    queue: new FairQueue(),
    free: bounds.atOnce,
    usual: bounds.firstGuess,
    idle: true,
    look: spareTime(),
    metrics: turnMetrics(bounds.name)
  }
  const note = Effect.sync(() => desk.metrics.note({ waiting: desk.queue.size, running: bounds.atOnce - desk.free }))
  const admitted = admit(desk).pipe(Effect.tapError(() => Effect.sync(desk.metrics.refused)), Effect.ensuring(note))
  /** What was cut off counts as well: an estimate that leaves out who ran out of time would let everybody in. */
  const measured = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Clock.currentTimeMillis, (start) =>
      Effect.onExit(work, () =>
        Effect.map(Clock.currentTimeMillis, (end) => {
          desk.usual += weightOfNewest * (end - start - desk.usual)
        })))
  return (work) => Effect.acquireUseRelease(admitted, () => measured(work), () => Effect.zipRight(release(desk), note))
}
