import { Duration, Effect, type Fiber, FiberRef } from "effect"
import { attemptTimeout, lastSilence, longestHang, longestSilence, retryPatience } from "../RpcPolicy.ts"
import { type TimeBudget, wake } from "./TimeBudget.ts"

/** Time that several may lose side by side: what they lose together counts once. Milliseconds of a clock. */
interface LostTime {
  sum: number
  /** The end of what is counted already. */
  until: number
}

const lostMore = ({ sum, until }: LostTime, from: number, to: number): LostTime => ({
  sum: sum + Math.max(0, to - Math.max(from, until)),
  until: Math.max(to, until)
})

const noTime: LostTime = { sum: 0, until: 0 }

/** The time that one endpoint cost by not answering; calls that still wait for it are woken when that grows. */
interface Silence extends Pick<TimeBudget, "waiting"> {
  lost: LostTime
}

/** The retry budget of one request: what it may spend altogether on sources that fail, however many questions it asks them. */
export interface Patience {
  /** Its place among all requests, the oldest first. */
  readonly order: number
  /** Pauses between rounds over the endpoints. */
  paused: LostTime
  /** By endpoint, as `NetworkSettings` has it. */
  readonly silences: Map<URL, Silence>
}

const current = FiberRef.unsafeMake<Patience | null>(null)

/** The patience of the request that a fiber works for; null outside of one, where every question has its own. */
export const patienceOf = (fiber: Pick<Fiber.RuntimeFiber<unknown, unknown>, "getFiberRef">): Patience | null => fiber.getFiberRef(current)

/** The same of the fiber that runs this. */
export const currentPatience: Effect.Effect<Patience | null> = FiberRef.get(current)

let begun = 0

/** The place of a question that begins now: that of its request, or the last where no request waits. */
export const orderOf = (patience: Patience | null): number => patience?.order ?? begun++

const fresh = (order: number): Patience => ({ order, paused: noTime, silences: new Map() })

/**
 * Runs a request with a patience of its own: its questions share one budget for retries (`RpcPolicy.retryPatience`), and one budget for each
 * endpoint that hangs (`leftOf`); once that is spent, the endpoint is not queried again. What it runs so again keeps its place among requests.
 */
export const withPatience = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) => Effect.locally(work, current, fresh(orderOf(patienceOf(fiber)))))

/** Whether a request may pause for so long from now on; what is granted is spent. Pauses side by side cost no more than the longest. */
export const mayPause = (patience: Patience | null, pause: Duration.Duration, now: number): boolean => {
  if (patience === null) return true
  const after = lostMore(patience.paused, now, now + Duration.toMillis(pause))
  if (after.sum > Duration.toMillis(retryPatience)) return false
  patience.paused = after
  return true
}

/** What that endpoint cost the request so far. */
export const silenceOf = ({ silences }: Patience, endpoint: URL): Silence => {
  const silence = silences.get(endpoint) ?? { lost: noTime, waiting: new Set() }
  silences.set(endpoint, silence)
  return silence
}

/** How long an endpoint is waited for: for one answer, and altogether, in milliseconds. */
const limits = {
  /** While another one of its kind is up and not queried yet. */
  short: [Duration.toMillis(longestSilence), Duration.toMillis(longestHang)],
  last: [Duration.toMillis(lastSilence), Duration.toMillis(attemptTimeout)]
} as const

/** Whole milliseconds for which it may still be waited for: what is left of one is no time to wait. `isLast`: no other one could answer instead. */
export const leftOf = ({ lost }: Silence, isLast: boolean): number => {
  const [once, altogether] = limits[isLast ? "last" : "short"]
  return Math.floor(Math.min(once, altogether - lost.sum))
}

/** Whether the request has waited for that endpoint for as long as it will. */
export const isGivenUp = (patience: Patience | null, endpoint: URL, isLast: boolean): boolean => {
  const silence = patience?.silences.get(endpoint)
  return silence !== undefined && leftOf(silence, isLast) <= 0
}

/** Whether the request has waited for that endpoint in vain. */
export const wasSilent = (patience: Patience | null, endpoint: URL): boolean => (patience?.silences.get(endpoint)?.lost.sum ?? 0) > 0

/** Notes for how long the endpoint was waited for in vain. */
export const noteSilence = (silence: Silence, from: number, to: number): void => {
  silence.lost = lostMore(silence.lost, from, to)
  wake(silence.waiting)
}
