import { Deferred, Duration, Effect, Exit, Option, Queue } from "effect"
import type { LiveKey } from "../domain/ApiKeyRecord.ts"
import { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { cacheCount } from "../fibers/CacheMetrics.ts"
import { steadyMillis } from "../fibers/SteadyTime.ts"
import { ttlCache } from "../fibers/TtlCache.ts"
import { guarded, patience } from "./database/Guarded.ts"
import type { KeyTable } from "./KeyTable.ts"

/** How long an answer of the table holds, counted from the start of its query: a revoked key is dead everywhere after that. */
const timeToLive = Duration.seconds(3)

/** Most answers that are cached of each kind. Unknown keys cost nothing to invent and have room of their own. */
const most = 10_000

const counted = cacheCount("api_keys")

/** Most keys that one question names. */
const mostAtOnce = 500

/** A question that failed after so long was not answered at all: the store hangs. Milliseconds. */
const hangsAfter = 1_000

/** How often a store that hangs is probed until it answers again. */
const probeEvery = "1 second"

/** Most keys that wait to be requested; a look-up beyond them fails at once with `KeyStoreUnavailable`. */
const mostWaiting = 5_000

/** The digest of no key. */
const noDigest = ""

type Answer = Deferred.Deferred<LiveKey | null, KeyStoreUnavailable>

/**
 * Looks keys up by their digests, and remembers what was found for three seconds of a clock that never jumps. Keys that are requested while
 * a question is under way go together into the next one, so that a flood of invented keys costs few questions and keeps no one waiting.
 * An answer that is older is not used, regardless of what the table does in that time: then the store is unavailable. A circuit breaker keeps callers from
 * waiting for a table that hangs: after one question that was not answered all fail at once, until a probe a second is answered.
 */
export const keyLookup = Effect.fnUntraced(function*(table: Pick<KeyTable, "live">) {
  const live = ttlCache<string, LiveKey>({ timeToLive, most })
  const unknown = ttlCache<string, null>({ timeToLive, most })
  const waiting = new Map<string, Answer>()
  const signal = yield* Queue.sliding<void>(1)
  // Of an answer that was under way while a key was revoked here, nothing may be remembered.
  let revocations = 0
  let hangs = false

  const refuse = (answers: ReadonlyArray<Answer>) =>
    Effect.forEach(answers, (answer) => Deferred.fail(answer, new KeyStoreUnavailable()), { discard: true })

  const asked = (batch: ReadonlyArray<readonly [string, Answer]>) =>
    Effect.gen(function*() {
      const askedAt = yield* steadyMillis
      const before = revocations
      const found = yield* guarded("look keys up")(table.live(batch.map(([digest]) => digest)))
      const now = yield* steadyMillis
      for (const [digest, answer] of batch) {
        const record = found.get(digest) ?? null
        if (record === null) unknown.set(digest, null, now, askedAt)
        else if (before === revocations) live.set(digest, record, now, askedAt)
        yield* Deferred.succeed(answer, record)
      }
    })

  /** Until the table answers, no request waits for it. */
  const recovered = Effect.gen(function*() {
    hangs = true
    yield* refuse([...waiting.values()])
    waiting.clear()
    yield* Effect.logWarning("the key store hangs: requests with its keys fail at once as unavailable until it responds")
    yield* Effect.eventually(Effect.delay(Effect.timeout(Effect.disconnect(table.live([noDigest])), patience), probeEvery))
    hangs = false
    yield* Effect.logInfo("the key store responds again")
  })

  const attempted = (batch: ReadonlyArray<readonly [string, Answer]>) =>
    Effect.gen(function*() {
      const begun = yield* steadyMillis
      const exit = yield* Effect.exit(asked(batch))
      if (Exit.isSuccess(exit)) return
      yield* refuse(batch.map(([, answer]) => answer))
      if ((yield* steadyMillis) - begun >= hangsAfter) yield* recovered
    })

  const drained: Effect.Effect<void> = Effect.gen(function*() {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, mostAtOnce)
      for (const [digest] of batch) waiting.delete(digest)
      yield* attempted(batch)
    }
  })
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Queue.take(signal), drained)))

  const ask = (digest: string) =>
    Effect.gen(function*() {
      const already = waiting.get(digest)
      if (already !== undefined) return yield* Deferred.await(already)
      if (hangs || waiting.size >= mostWaiting) return yield* new KeyStoreUnavailable()
      const answer: Answer = yield* Deferred.make<LiveKey | null, KeyStoreUnavailable>()
      waiting.set(digest, answer)
      yield* Queue.offer(signal, undefined)
      return yield* Deferred.await(answer)
    })

  return {
    /** The record of a live key; none for one that is unknown or revoked. */
    find: (digest: string): Effect.Effect<Option.Option<LiveKey>, KeyStoreUnavailable> =>
      Effect.gen(function*() {
        const now = yield* steadyMillis
        const known = live.get(digest, now) ?? unknown.get(digest, now)
        if (known === undefined) counted.miss()
        else counted.hit()
        return Option.fromNullable(known === undefined ? yield* ask(digest) : known)
      }),
    /** A key that was revoked or rotated here is looked up anew. */
    revoked: (id: string): void => {
      revocations++
      live.deleteWhere((record) => record.id === id)
    }
  }
})
