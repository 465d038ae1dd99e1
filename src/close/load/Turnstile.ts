import { Deferred, Duration, Effect, Exit } from "effect"
import { ServiceBusy } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { FairQueue } from "./FairQueue.ts"
import { lookEvery } from "./LoopLoad.ts"
import { Requester } from "./Requester.ts"
import { turnMetrics, type TurnName } from "./TurnMetrics.ts"

const weightOfNewest = 0.2

/**
 * Who takes longer than this part of what the request may take shows that too many are under way for what they wait for, such as
 * sources that allow so many questions a second: fewer begin from then on, since too many would all run out of time.
 */
const tooLong = 1 / 3

/** What is left of how many pass at the same time when one took too long. */
const fewer = 0.7

/** Whoever had to wait begins only where so many times the usual is left: otherwise they would run out of time with nothing to show for it. */
const timesUsual = 1.5

/** How many pass at the same time, and how long a request waits for its turn. */
export interface TurnstileBounds {
  /** By what metrics call it. */
  readonly name: TurnName
  /** Whose turns these are; null: those of the process. */
  readonly network: Network | null
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
  /** How many are under way. */
  running: number
  /** How many may be, as long as they took lately; from one to `most`, one more for about as many that were in time. */
  limit: number
  /** When that became less. Who began before tells nothing new. */
  limitedAt: number
  /** Whether there was time to spare at the last look. */
  idle: boolean
  readonly look: () => boolean | null
  /** Moving average over what passed, in milliseconds. */
  usual: number
  readonly metrics: ReturnType<typeof turnMetrics>
}

const busy = (millis: number) => new ServiceBusy({ retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(millis / 1_000))) })

/** How many may be under way, when the event loop has time to spare and when it has none. */
const room = ({ bounds: { atOnce, most }, limit }: Desk, idle: boolean): number =>
  Math.min(Math.floor(limit), idle ? Math.max(most, atOnce) : atOnce)

/** Lets whoever is next begin, where there is room. */
const letNext = (desk: Desk, idle: boolean): Effect.Effect<void> => {
  const next = desk.running < room(desk, idle) ? desk.queue.shift() : undefined
  if (next === undefined) return Effect.void
  desk.running++
  return Effect.asVoid(Deferred.succeed(next, undefined))
}

/** Gives a place back; the next takes it, and one more where there may be more by now. */
const release = (desk: Desk): Effect.Effect<void> =>
  Effect.suspend(() => {
    desk.running--
    return Effect.zipRight(letNext(desk, false), Effect.suspend(() => letNext(desk, false)))
  })

/** Takes note of how long one was under way that might have taken as long as `deadline`. */
const learn = (
  desk: Desk,
  { began, deadline, ended }: { readonly began: number; readonly ended: number; readonly deadline: number }
): void => {
  const took = ended - began
  desk.usual += weightOfNewest * (took - desk.usual)
  if (took <= deadline * tooLong) desk.limit = Math.min(Math.max(desk.bounds.most, desk.bounds.atOnce), desk.limit + 1 / desk.limit)
  else if (began >= desk.limitedAt) {
    desk.limit = Math.max(1, Math.min(desk.limit, desk.running) * fewer)
    desk.limitedAt = ended
  }
}

/** Lets one more begin where the event loop has time to spare. */
const letMore = (desk: Desk): Effect.Effect<void> =>
  Effect.suspend(() => {
    const seen = desk.look()
    desk.idle = seen ?? desk.idle
    return letNext(desk, seen === true)
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
    if (desk.running < room(desk, false)) {
      desk.running++
      return
    }
    const longest = Duration.toMillis(deadline) * desk.bounds.shareOfDeadline
    const expected = ((desk.queue.ahead(path) + 1) * desk.usual) / room(desk, desk.idle)
    if (expected > longest) return yield* busy(expected)
    const start = yield* steadyMillis
    const waiter = yield* Deferred.make<void>()
    desk.queue.push(path, waiter)
    desk.metrics.note({ waiting: desk.queue.size, running: desk.running })
    yield* Effect.interruptible(Effect.timeoutFail(turnOf(desk, waiter), { duration: longest, onTimeout: () => busy(desk.usual) })).pipe(
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : leave(desk, path, waiter)))
    )
    const left = Duration.toMillis(deadline) - ((yield* steadyMillis) - start)
    if (desk.usual * timesUsual > left) return yield* Effect.zipRight(release(desk), busy(desk.usual))
  })

/** Runs work when it is its turn: turns are bounded and fair. Fails with `ServiceBusy` when that would be later than half of what the request may take. */
export type Turnstile = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceBusy, R>

export const turnstile = (bounds: TurnstileBounds, look: () => boolean | null): Turnstile => {
  const desk: Desk = {
    bounds,
    queue: new FairQueue(),
    running: 0,
    limit: Math.max(bounds.most, bounds.atOnce),
    limitedAt: -Infinity,
    usual: bounds.firstGuess,
    idle: true,
    look,
    metrics: turnMetrics(bounds)
  }
  const note = Effect.sync(() => desk.metrics.note({ waiting: desk.queue.size, running: desk.running }))
  const admitted = admit(desk).pipe(Effect.tapError(() => Effect.sync(desk.metrics.refused)), Effect.ensuring(note))
  /** What was cut off counts as well: an estimate that leaves out who ran out of time would let everybody in. */
  const measured = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.flatMap(
      Effect.all([steadyMillis, Requester]),
      ([began, { deadline }]) =>
        Effect.onExit(work, () => Effect.map(steadyMillis, (ended) => learn(desk, { began, ended, deadline: Duration.toMillis(deadline) })))
    )
  return (work) => Effect.acquireUseRelease(admitted, () => measured(work), () => Effect.zipRight(release(desk), note))
}
