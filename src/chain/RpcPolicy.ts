import { Duration } from "effect"

/** The most keys one `getLedgerEntries` call takes; the server's own limit. */
export const maxKeysPerCall = 200

/** How many calls for one question go out side by side. */
export const concurrency = 4

/** Waits before the second, third, fourth and fifth round. */
export const backoff = [Duration.millis(250), Duration.millis(500), Duration.seconds(1), Duration.seconds(2)] as const

/** The longest wait one attempt at one endpoint may take. */
export const attemptTimeout = Duration.seconds(10)

/** The longest one call may take, all attempts and waits together. */
export const callTimeout = Duration.seconds(18)

/** The longest `Retry-After` that is waited for; a longer one ends the call. */
export const longestWait = Duration.seconds(5)

/** The longest an endpoint is left alone, whatever its `Retry-After` says. */
export const longestRest = Duration.seconds(60)

/** More ledgers than this behind another source or endpoint is a lag: what happened meanwhile counts. */
export const tolerableLag = 5

/** The longest wait for one endpoint when all are compared. */
export const surveyTimeout = Duration.millis(2500)

/** The most ledgers one `getEvents` call looks through; the server's own limit. */
export const maxLedgersPerCall = 10_000

/** The most contracts whose events one `getEvents` call takes: five filters of five. */
export const maxEventContracts = 25
