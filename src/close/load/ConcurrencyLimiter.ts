import { Deferred, Duration, Effect, Exit, Metric, MetricLabel } from "effect"
import { ServiceBusy } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { sampleMillis } from "./EventLoopLoad.ts"
import { FairQueue } from "./FairQueue.ts"
import { Requester } from "./Requester.ts"

/** What is waited for: to begin with a read, a plan or a build, or to compute a close. */
type TurnName = "close" | "compute"

const waiting = Metric.gauge("closeout_turns_waiting", { description: "Requests in the queue, to start or to be computed." })

const running = Metric.gauge("closeout_turns_running", { description: "Requests in progress, and closes that are being computed." })

const refused = Metric.counter("closeout_turns_refused_total", {
  description: "Requests rejected as service_busy, because they waited or would have waited too long.",
  incremental: true
})

/** The queue of one kind of turn, as metrics show it. */
const turnMetrics = ({ name, network }: { readonly name: TurnName; readonly network: Network | null }) => {
  const labels = [MetricLabel.make("turn", name), ...(network === null ? [] : [MetricLabel.make("network", network)])]
  const [wait, run, refuse] = [
    Metric.taggedWithLabels(waiting, labels),
    Metric.taggedWithLabels(running, labels),
    Metric.taggedWithLabels(refused, labels)
  ]
  return {
    note: (many: { readonly waiting: number; readonly running: number }): void => {
      wait.unsafeUpdate(many.waiting, [])
      run.unsafeUpdate(many.running, [])
    },
    refused: (): void => refuse.unsafeUpdate(1, [])
  }
}

/** Weight of the newest request in the moving average. */
const newestWeight = 0.2

/**
 * Latency above this fraction of the deadline means overload, of the process or of a source with a rate limit. The limiter then lowers its
 * concurrency, since otherwise all requests would run out of time.
 */
const overloadShare = 1 / 3

/** Factor of the multiplicative decrease. */
const decreaseFactor = 0.7

/** A request that waited begins only where this multiple of the average time is left: otherwise it would run out of time. */
const minTimesAverage = 1.5

/** How many requests run at the same time, and how long one waits for its turn. */
export interface LimiterBounds {
  /** Its name in metrics. */
  readonly name: TurnName
  /** The network whose requests are limited; null: all of the process. */
  readonly network: Network | null
  readonly atOnce: number
  /** How many while the event loop has time to spare, because those under way wait for sources: one more at each sample. */
  readonly most: number
  readonly shareOfDeadline: number
  /** How long a request takes before any was measured, in milliseconds. */
  readonly firstGuess: number
}

type Waiter = Deferred.Deferred<void>

interface LimiterState {
  readonly bounds: LimiterBounds
  readonly queue: FairQueue<Waiter>
  /** How many are under way. */
  running: number
  /** The adaptive limit, from one to `most`: one more for about as many requests in time, `decreaseFactor` of it on overload. */
  limit: number
  /** When it was last lowered. Requests that began before do not lower it again. */
  limitedAt: number
  /** Whether the event loop had time to spare at the last sample. */
  idle: boolean
  readonly look: () => boolean | null
  /** Moving average of the time a request takes, in milliseconds. */
  averageMillis: number
  readonly metrics: ReturnType<typeof turnMetrics>
}

const busy = (millis: number) => new ServiceBusy({ retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(millis / 1_000))) })

/** How many requests may be under way, when the event loop has time to spare and when it has none. */
const capacity = ({ bounds: { atOnce, most }, limit }: LimiterState, idle: boolean): number =>
  Math.min(Math.floor(limit), idle ? Math.max(most, atOnce) : atOnce)

/** Starts the next request in the queue, where there is capacity. */
const startNext = (limiter: LimiterState, idle: boolean): Effect.Effect<void> => {
  const next = limiter.running < capacity(limiter, idle) ? limiter.queue.shift() : undefined
  if (next === undefined) return Effect.void
  limiter.running++
  return Effect.asVoid(Deferred.succeed(next, undefined))
}

/** Frees a place; the next request takes it, and one more where the limit has risen. */
const release = (limiter: LimiterState): Effect.Effect<void> =>
  Effect.suspend(() => {
    limiter.running--
    return Effect.zipRight(startNext(limiter, false), Effect.suspend(() => startNext(limiter, false)))
  })

/** Adapts average and limit to the time a request took, out of its deadline: additive increase, multiplicative decrease. */
const adapt = (
  limiter: LimiterState,
  { began, deadline, ended }: { readonly began: number; readonly ended: number; readonly deadline: number }
): void => {
  const took = ended - began
  limiter.averageMillis += newestWeight * (took - limiter.averageMillis)
  if (took <= deadline * overloadShare) {
    limiter.limit = Math.min(Math.max(limiter.bounds.most, limiter.bounds.atOnce), limiter.limit + 1 / limiter.limit)
  } else if (began >= limiter.limitedAt) {
    limiter.limit = Math.max(1, Math.min(limiter.limit, limiter.running) * decreaseFactor)
    limiter.limitedAt = ended
  }
}

/** Starts one more request where the event loop has time to spare. */
const startIfIdle = (limiter: LimiterState): Effect.Effect<void> =>
  Effect.suspend(() => {
    const seen = limiter.look()
    limiter.idle = seen ?? limiter.idle
    return startNext(limiter, seen === true)
  })

const turnFor = (limiter: LimiterState, waiter: Waiter): Effect.Effect<void> => {
  const turn = Deferred.await(waiter)
  return limiter.bounds.most <= limiter.bounds.atOnce
    ? turn
    : Effect.raceFirst(turn, Effect.forever(Effect.delay(startIfIdle(limiter), sampleMillis)))
}

/** Removes a request from the queue. If the request got its turn first, the turn passes to the next one. */
const withdraw = (limiter: LimiterState, path: ReadonlyArray<string>, waiter: Waiter): Effect.Effect<void> =>
  Effect.suspend(() => (limiter.queue.remove(path, waiter) ? Effect.void : release(limiter)))

/**
 * Waits for a turn, at most half of the request's deadline. Rejects at once where the wait is expected to be longer, and where it has become
 * too late to begin.
 */
const admit = (limiter: LimiterState): Effect.Effect<void, ServiceBusy> =>
  Effect.gen(function*() {
    const { deadline, path } = yield* Requester
    if (limiter.running < capacity(limiter, false)) {
      limiter.running++
      return
    }
    const longest = Duration.toMillis(deadline) * limiter.bounds.shareOfDeadline
    const expected = ((limiter.queue.ahead(path) + 1) * limiter.averageMillis) / capacity(limiter, limiter.idle)
    if (expected > longest) return yield* busy(expected)
    const start = yield* steadyMillis
    const waiter = yield* Deferred.make<void>()
    limiter.queue.push(path, waiter)
    limiter.metrics.note({ waiting: limiter.queue.size, running: limiter.running })
    yield* Effect.interruptible(
      Effect.timeoutFail(turnFor(limiter, waiter), { duration: longest, onTimeout: () => busy(limiter.averageMillis) })
    )
      .pipe(
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : withdraw(limiter, path, waiter)))
      )
    const left = Duration.toMillis(deadline) - ((yield* steadyMillis) - start)
    if (limiter.averageMillis * minTimesAverage > left) return yield* Effect.zipRight(release(limiter), busy(limiter.averageMillis))
  })

/** Runs work when it is its turn. Fails with `ServiceBusy` when that would be later than half of the request's deadline. */
export type ConcurrencyLimiter = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceBusy, R>

/**
 * An adaptive concurrency limit (AIMD) with fair queueing: at most `limit` requests run, callers take turns, and the limit rises while requests are
 * in time and falls when one is too slow.
 */
export const concurrencyLimiter = (bounds: LimiterBounds, look: () => boolean | null): ConcurrencyLimiter => {
  const limiter: LimiterState = {
    bounds,
    queue: new FairQueue(),
    running: 0,
    limit: Math.max(bounds.most, bounds.atOnce),
    limitedAt: -Infinity,
    averageMillis: bounds.firstGuess,
    idle: true,
    look,
    metrics: turnMetrics(bounds)
  }
  const note = Effect.sync(() => limiter.metrics.note({ waiting: limiter.queue.size, running: limiter.running }))
  const admitted = admit(limiter).pipe(Effect.tapError(() => Effect.sync(limiter.metrics.refused)), Effect.ensuring(note))
  /** Requests that were cut off count as well: an average without them would admit too many. */
  const measured = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.flatMap(
      Effect.all([steadyMillis, Requester]),
      ([began, { deadline }]) =>
        Effect.onExit(work, () =>
          Effect.map(steadyMillis, (ended) => adapt(limiter, { began, ended, deadline: Duration.toMillis(deadline) })))
    )
  return (work) => Effect.acquireUseRelease(admitted, () => measured(work), () => Effect.zipRight(release(limiter), note))
}
