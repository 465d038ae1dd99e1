import { Duration } from "effect"
import type { Fault } from "./Fault.ts"
import { longestRest } from "./RpcPolicy.ts"

/** What is known of one endpoint. Times are milliseconds of the clock. */
export interface Health {
  readonly status: "healthy" | "degraded" | "down"
  /** Moving average over answers; 0 before the first. */
  readonly avgLatencyMs: number
  /** Failures since the last answer, refusals for too many requests not counted. */
  readonly failures: number
  /** Until when it asked to be left alone; 0 when it did not. */
  readonly restsUntil: number
  /** Whether it serves the network that is configured; null before it was asked. */
  readonly ours: boolean | null
  /** When it said so; 0 before. */
  readonly namedAt: number
  /** Whether it lagged behind the furthest endpoint of its source, when they were compared last. */
  readonly lags: boolean
}

export const unknownHealth: Health = { status: "healthy", avgLatencyMs: 0, failures: 0, restsUntil: 0, ours: null, namedAt: 0, lags: false }

const failuresUntilDown = 3
const weightOfNewest = 0.2

/** After an answer that took `latencyMs`. */
export const healthAfterAnswer = (health: Health, latencyMs: number): Health => ({
  ...health,
  status: "healthy",
  avgLatencyMs: health.avgLatencyMs === 0 ? latencyMs : health.avgLatencyMs + weightOfNewest * (latencyMs - health.avgLatencyMs),
  failures: 0,
  restsUntil: 0
})

/** After a fault at `now`. */
export const healthAfterFault = (health: Health, fault: Fault, now: number): Health => {
  if (fault._tag === "Throttled") {
    const rest = fault.retryAfter === null ? Duration.zero : Duration.min(fault.retryAfter, longestRest)
    return { ...health, status: "degraded", restsUntil: now + Duration.toMillis(rest) }
  }
  const failures = health.failures + 1
  return { ...health, failures, status: failures >= failuresUntilDown ? "down" : "degraded" }
}

/** How long one that named another network is believed to serve that: then it is asked again. */
const longestForeign = Duration.minutes(1)

/** Whether it serves another network, as far as is known at `now`. */
export const isForeign = ({ namedAt, ours }: Health, now: number): boolean =>
  ours === false && now - namedAt < Duration.toMillis(longestForeign)

/** Time left to leave it alone. */
export const restOf = (health: Health, now: number): Duration.Duration => Duration.millis(Math.max(0, health.restsUntil - now))

/** How much it is worth: one of another network nothing, one that lags no more than one that failed. */
export const standingOf = ({ lags, ours, status }: Health): Health["status"] => {
  if (ours === false) return "down"
  return status === "healthy" && lags ? "degraded" : status
}

const rank = { healthy: 0, degraded: 1, down: 2 } as const

/** Whether it can be expected to answer at `now`: it is not down, serves this network, and did not ask to be left alone. */
export const isUp = (health: Health, now: number): boolean => standingOf(health) !== "down" && health.restsUntil <= now

/** Indexes in the order in which to ask: the healthiest first, of equals the one that answered last, then as configured. */
export const preference = (all: ReadonlyArray<Health>, sticky: number): ReadonlyArray<number> =>
  all
    .map((health, index) => ({ index, rank: rank[standingOf(health)], sticky: index === sticky ? 0 : 1 }))
    .toSorted((left, right) => left.rank - right.rank || left.sticky - right.sticky || left.index - right.index)
    .map(({ index }) => index)
