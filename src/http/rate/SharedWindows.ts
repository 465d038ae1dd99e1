import { Effect, Metric } from "effect"
import type { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { LocalWindows } from "./LocalWindows.ts"
import { type Bucket, type Tally, tallyOf } from "./RateLimit.ts"
import type { RateStoreAway, RedisWindows } from "./RedisWindows.ts"

/** How long a request waits for the shared store. */
const patience = "250 millis"

/** How long after it failed the shared store is left alone, in milliseconds. */
const rest = 1_000

/** Most buckets whose local counts are sent to the store when it is back. Beyond them, a window may start anew there. */
const mostOwed = 50_000

const failures = Metric.counter("closeout_rate_limit_store_failures_total", {
  description: "Requests that the shared rate limit store did not count, so that this instance counted them locally.",
  incremental: true
})

const away = Metric.gauge("closeout_rate_limit_store_away", {
  description: "1 while the shared rate limit store does not respond and this instance limits locally, else 0."
})

const ownName = ({ id, kind }: Bucket): string => `${kind} ${id}`

/**
 * Windows in a shared store, with this process's memory behind it. While the store is away this instance counts on from what it saw last, so
 * that no one is let in without limit; what it let in is reported to the store when that is back. The store is tried again after a
 * second, by one request at a time.
 */
export const sharedWindows = (store: RedisWindows) => {
  const local = new LocalWindows()
  const owed = new Set<string>()
  let awaySince: number | null = null
  let askAgainAt = 0
  away.unsafeUpdate(0, [])

  const alone = (bucket: Bucket, setting: RateLimitSetting, now: number): Effect.Effect<Tally> =>
    Effect.zipRight(
      Metric.increment(failures),
      Effect.sync(() => {
        if (owed.size < mostOwed) owed.add(ownName(bucket))
        return local.count(bucket, setting, now)
      })
    )

  const failed = ({ reason }: Pick<RateStoreAway, "reason">, now: number): Effect.Effect<void> => {
    const first = awaySince === null
    awaySince ??= now
    askAgainAt = now + rest
    away.unsafeUpdate(1, [])
    return first
      ? Effect.annotateLogs(Effect.logWarning("the rate limit store does not respond: this instance limits locally"), { reason })
      : Effect.void
  }

  const back = (now: number): Effect.Effect<void> => {
    if (awaySince === null) return Effect.void
    const awayMillis = now - awaySince
    awaySince = null
    away.unsafeUpdate(0, [])
    return Effect.annotateLogs(Effect.logInfo("the rate limit store responds again"), { awayMillis })
  }

  const together = (bucket: Bucket, setting: RateLimitSetting, now: number) =>
    Effect.gen(function*() {
      const name = ownName(bucket)
      const floor = owed.has(name) ? local.seen(bucket, now) : null
      const counted = yield* Effect.timeoutFail(Effect.disconnect(store.count(bucket, setting, floor)), {
        duration: patience,
        onTimeout: () => ({ reason: "no response in time" })
      })
      const then = yield* steadyMillis
      owed.delete(name)
      local.adopt(bucket, counted, then)
      yield* back(then)
      return tallyOf(counted, setting)
    })

  return {
    count: (bucket: Bucket, setting: RateLimitSetting): Effect.Effect<Tally> =>
      Effect.flatMap(steadyMillis, (now) => {
        if (awaySince !== null) {
          if (now < askAgainAt) return alone(bucket, setting, now)
          askAgainAt = now + rest
        }
        return Effect.catchAll(together(bucket, setting, now), (problem) =>
          Effect.flatMap(steadyMillis, (then) => Effect.zipRight(failed(problem, then), alone(bucket, setting, then))))
      }),
    size: Effect.sync(() => local.size),
    probe: store.probe
  }
}
