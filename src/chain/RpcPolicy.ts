import { Duration } from "effect"

/** The most keys one `getLedgerEntries` call takes; the server's own limit. */
export const maxKeysPerCall = 200

/** How long a question for ledger entries waits for others that may share its call: those of the same batch (`JointCalls.ts`). */
export const gatheringTime = Duration.millis(20)

/** How many calls for one question go out side by side. */
export const concurrency = 4

/** Pauses before the second, third, fourth and fifth round, before jitter. */
export const backoff = [Duration.millis(250), Duration.millis(500), Duration.seconds(1), Duration.seconds(2)] as const

/** The longest one request pauses between rounds, all its questions together. */
export const retryPatience = Duration.seconds(5)

/** How long one request waits for one answer of an endpoint, while another one of its kind is up and not queried yet. */
export const longestSilence = Duration.millis(2200)

/**
 * The longest wait for one answer of a contract that anyone may have written. It is less than `longestSilence`, so that a contract that hangs
 * is not blamed on the endpoint.
 */
export const longestAnswer = Duration.seconds(2)

/** How long one request waits in vain for such an endpoint altogether: with a pause in between, three seconds. A lost packet is sent once more. */
export const longestHang = Duration.millis(2700)

/** How long one request waits for one answer of the last endpoint of a kind. Then it sends the question once more, in case it was lost. */
export const lastSilence = Duration.seconds(6)

/**
 * How long one request waits in vain for the last endpoint of a kind, altogether (`rpcPolicy.timeoutMs`). Also the longest wait for one
 * answer where no request waits, or where the endpoint has to search for it.
 */
export const attemptTimeout = Duration.seconds(10)

/** The longest one call may take, all attempts and waits together. */
export const callTimeout = Duration.seconds(18)

/** The longest `Retry-After` that is waited for; a longer one ends the call. */
export const longestWait = Duration.seconds(5)

/** The longest a question waits for its turn where another endpoint can be queried, and where the endpoint is down. */
export const shortWait = Duration.millis(500)

/** The longest an endpoint is left alone, regardless of its `Retry-After`. */
export const longestRest = Duration.seconds(60)

/** The longest wait for one endpoint when all are compared. */
export const surveyTimeout = Duration.millis(2500)

/** The longest wait for one endpoint whose answer is compared with another's before a transaction rests on it (`witness`). */
export const witnessTimeout = Duration.seconds(3)

/** The longest wait for all that contracts say at such an endpoint, each answer in its time: strangers may add to the questions. */
export const testimonyTimeout = Duration.seconds(9)

/** The most ledgers one `getEvents` call looks through; the server's own limit. */
export const maxLedgersPerCall = 10_000

/** The most contracts whose events one `getEvents` call takes: five filters of five. */
export const maxEventContracts = 25
