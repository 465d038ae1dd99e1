import { Clock, Deferred, Duration, Effect, FiberRef } from "effect"
import { longestHang, longestSilence, retryPatience } from "./RpcPolicy.ts"
import { undisturbedMillis } from "./Stalls.ts"

/** Time that several may lose side by side: what they lose together counts once. Milliseconds of a clock. */
interface Lost {
  sum: number
  /** The end of what is counted already. */
  until: number
}

const lostMore = ({ sum, until }: Lost, from: number, to: number): Lost => ({
  sum: sum + Math.max(0, to - Math.max(from, until)),
  until: Math.max(to, until)
})

const nothing: Lost = { sum: 0, until: 0 }

/** What one endpoint cost by not answering; whoever still waits for it is told when that grows. */
interface Silence {
  lost: Lost
  grown: Deferred.Deferred<void>
}

/** What one request may spend altogether on sources that fail, however many questions it asks them. */
export interface Patience {
  /** Its place among all requests, the oldest first. */
  readonly order: number
  /** Pauses between rounds over the endpoints. */
  paused: Lost
  /** By endpoint, as `NetworkSettings` has it. */
  readonly silences: Map<URL, Silence>
}

const current = FiberRef.unsafeMake<Patience | null>(null)

/** The patience of the request that runs; null outside of one, where every question has its own. */
export const currentPatience: Effect.Effect<Patience | null> = FiberRef.get(current)

let begun = 0

/** The place of a question that is asked now: that of its request, or the last where no request waits. */
export const orderOf = (patience: Patience | null): number => patience?.order ?? begun++

/**
 * Runs a request with a patience of its own: its questions share one budget for retries (`RpcPolicy.retryPatience`), and an endpoint that
 * hangs costs it `longestHang` at most; from then on it is not asked again. What it runs so again keeps its place among requests.
 */
export const patiently = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    currentPatience,
    (outer) => Effect.locally(work, current, { order: orderOf(outer), paused: nothing, silences: new Map() })
  )

/** Whether a request may pause for so long; what is granted is spent. Pauses side by side cost no more than the longest. */
export const mayPause = (patience: Patience | null, pause: Duration.Duration): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    if (patience === null) return true
    const after = lostMore(patience.paused, now, now + Duration.toMillis(pause))
    if (after.sum > Duration.toMillis(retryPatience)) return false
    patience.paused = after
    return true
  })

const silenceOf = ({ silences }: Patience, endpoint: URL): Effect.Effect<Silence> =>
  Effect.map(Deferred.make<void>(), (grown) => {
    const silence = silences.get(endpoint) ?? { lost: nothing, grown }
    silences.set(endpoint, silence)
    return silence
  })

/** Whole milliseconds for which it may still be waited for: what is left of one is no time to wait. */
const leftOf = ({ lost }: Silence): number =>
  Math.floor(Math.min(Duration.toMillis(longestSilence), Duration.toMillis(longestHang) - lost.sum))

/** Whether the request has waited for that endpoint for as long as it will. */
export const isGivenUp = (patience: Patience | null, endpoint: URL): boolean => {
  const silence = patience?.silences.get(endpoint)
  return silence !== undefined && leftOf(silence) <= 0
}

/** Ends when the endpoint has been waited for long enough, by this question or by all of the request's together. */
export const silentTooLong = (patience: Patience, endpoint: URL): Effect.Effect<void> =>
  Effect.gen(function*() {
    const silence = yield* silenceOf(patience, endpoint)
    const began = yield* undisturbedMillis
    for (;;) {
      const now = yield* undisturbedMillis
      const left = Math.floor(began + leftOf(silence) - now)
      if (left > 0) {
        yield* Effect.raceFirst(Effect.sleep(left), Deferred.await(silence.grown))
        continue
      }
      silence.lost = lostMore(silence.lost, began, now)
      const before = silence.grown
      silence.grown = yield* Deferred.make<void>()
      yield* Deferred.succeed(before, undefined)
      return
    }
  })

/** Ends when the request gives an endpoint up; never before. */
export const untilGivenUp = (patience: Patience, endpoint: URL): Effect.Effect<void> =>
  Effect.gen(function*() {
    const silence = yield* silenceOf(patience, endpoint)
    while (leftOf(silence) > 0) yield* Deferred.await(silence.grown)
  })
