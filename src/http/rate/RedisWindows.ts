import { Data, Effect } from "effect"
import type { Redis } from "ioredis"
import { createHash } from "node:crypto"
import type { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"
import type { Bucket, Counted } from "./RateLimit.ts"

/** The shared store did not count a request. */
export class RateStoreAway extends Data.TaggedError("RateStoreAway")<{ readonly reason: string }> {}

/**
 * Counts one request, whole or not at all, by the store's own clock. A window starts with its first request and lasts at most as long as the
 * caller says, so that a clock set back, a window without end, or a rate that was changed keeps no one out for longer. `floor` is what an
 * instance let in while the store was away, and what was left of that window then.
 */
const script = `
local limit, length, floor, floorLeft = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local count = tonumber(redis.call('GET', KEYS[1])) or 0
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then
  count = 0
  left = length
  if floor > 0 then left = floorLeft end
end
if left > length then left = length end
if floor > count then count = floor end
local allowed = 0
if count < limit then
  allowed = 1
  count = count + 1
end
redis.call('SET', KEYS[1], count, 'PX', left)
return {allowed, count, left}
`

const isCounted = (answer: unknown): answer is readonly [number, number, number] =>
  Array.isArray(answer) && answer.length === 3 && answer.every((part) => Number.isSafeInteger(part))

/** Whose window it is, without saying so: addresses of people are not kept on another machine. */
const nameOf = ({ id, kind }: Bucket): string => `closeout:rate:${createHash("sha256").update(`${kind} ${id}`).digest("base64url")}`

const away = (problem: unknown) => new RateStoreAway({ reason: problem instanceof Error ? problem.message.slice(0, 200) : "unknown" })

/** What an instance let in by itself, for a window that had so many milliseconds left. */
export type Floor = Pick<Counted, "count" | "leftMillis">

/** Fixed windows in a Redis that several instances share. */
export const redisWindows = (redis: Redis) => {
  const run = (bucket: Bucket, { limit, windowSeconds }: RateLimitSetting, floor: Floor | null) => {
    const left = Math.max(1, Math.ceil(floor?.leftMillis ?? 1))
    return redis.eval(script, 1, nameOf(bucket), limit, windowSeconds * 1000, floor?.count ?? 0, left)
  }
  return {
    /** Counts one request in the shared window. */
    count: (bucket: Bucket, setting: RateLimitSetting, floor: Floor | null): Effect.Effect<Counted, RateStoreAway> =>
      Effect.flatMap(
        Effect.tryPromise({ try: () => run(bucket, setting, floor), catch: away }),
        (answer) => {
          if (!isCounted(answer)) return new RateStoreAway({ reason: "a response of another shape" })
          const [allowed, count, leftMillis] = answer
          return Effect.succeed({ allowed: allowed === 1, count, leftMillis })
        }
      ),
    /** Succeeds while the store answers. */
    probe: Effect.asVoid(Effect.tryPromise({ try: () => redis.ping(), catch: away }))
  }
}

export type RedisWindows = ReturnType<typeof redisWindows>
