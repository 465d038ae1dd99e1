import { Config, ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import type { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"
import { urlIn } from "../../domain/UrlSetting.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { LocalWindows } from "./LocalWindows.ts"
import type { Bucket, Tally } from "./RateLimit.ts"
import { redisWindows } from "./RedisWindows.ts"
import { sharedWindows } from "./SharedWindows.ts"

/** What a Redis says to a wrong password, and to none where it wants one. */
const isRefusal = (problem: Error | null): boolean =>
  problem !== null && /WRONGPASS|NOAUTH|invalid password|without any password/i.test(problem.message)

/** A client that answers or fails at once: nothing is queued while the connection is away, and it is tried again within two seconds. */
const connected = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { Redis } = await import("ioredis")
      const redis = new Redis(url, {
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        connectTimeout: 2_000,
        commandTimeout: 1_000,
        retryStrategy: (times) => Math.min(100 * times, 2_000)
      })
      // Every command tells its own failure; without a listener the process would end for one of the connection.
      redis.on("error", () => {})
      const problem = await new Promise<Error | null>((resolve) => {
        redis.once("ready", () => resolve(null))
        redis.once("error", resolve)
        // One that takes the connection and says nothing keeps no service from starting.
        AbortSignal.timeout(2_000).addEventListener("abort", () => resolve(null))
      })
      return { redis, isRefused: isRefusal(problem) }
    }),
    ({ redis }) => Effect.sync(() => redis.disconnect())
  ).pipe(
    Effect.tap(({ isRefused }) =>
      isRefused
        ? Effect.logError("RATE_LIMIT_STORE_URL: the server rejects the user or password; each instance limits locally")
        : Effect.void
    ),
    Effect.map(({ redis }) => redis)
  )

const notUsable = () => ConfigError.InvalidData(["RATE_LIMIT_STORE_URL"], "must be redis://:password@host:port/number, or rediss://")

const redisUrl = (text: Redacted.Redacted) =>
  urlIn(Redacted.value(text), ["redis", "rediss"]) === null ? Effect.fail(notUsable()) : Effect.succeed(Redacted.value(text))

/** `RATE_LIMIT_STORE_URL`: a Redis that several instances share; none where it is not set. */
export const rateLimitStoreSetting = Effect.flatMap(
  Config.option(Config.redacted(Config.nonEmptyString("RATE_LIMIT_STORE_URL"))),
  Option.match({ onNone: () => Effect.succeedNone, onSome: (text) => Effect.asSome(redisUrl(text)) })
)

/** Counts requests in fixed windows. A window starts with its first request; a refused request does not prolong it. */
export class RateLimitStore extends Context.Tag("closeout/http/RateLimitStore")<RateLimitStore, {
  /** Counts one request. While a store on another machine is away this instance counts by itself; there is always a limit. */
  readonly count: (bucket: Bucket, setting: RateLimitSetting) => Effect.Effect<Tally>
  /** Windows held now in this process, of all kinds together. */
  readonly size: Effect.Effect<number>
  /** Succeeds while the store answers. */
  readonly probe: Effect.Effect<void, unknown>
}>() {
  /** Windows in this process's memory, bounded. */
  static readonly layerMemory: Layer.Layer<RateLimitStore> = Layer.sync(RateLimitStore, () => {
    const windows = new LocalWindows()
    return RateLimitStore.of({
      count: (bucket, setting) => Effect.map(steadyMillis, (now) => windows.count(bucket, setting, now)),
      size: Effect.sync(() => windows.size),
      probe: Effect.void
    })
  })

  /** Windows in a Redis that several instances share. A service starts without it, too. */
  static readonly layerRedis = (url: string): Layer.Layer<RateLimitStore> =>
    Layer.scoped(RateLimitStore, Effect.map(connected(url), (redis) => RateLimitStore.of(sharedWindows(redisWindows(redis)))))

  /** Redis where `RATE_LIMIT_STORE_URL` says so, else this process's memory. */
  static readonly layer: Layer.Layer<RateLimitStore, ConfigError.ConfigError> = Layer.unwrapEffect(
    Effect.gen(function*() {
      const url = yield* rateLimitStoreSetting
      return Option.isNone(url) ? RateLimitStore.layerMemory : RateLimitStore.layerRedis(url.value)
    })
  )
}
