import { Schema } from "effect"
import { DeadlineExceeded, NetworkUnavailable, UpstreamRateLimited, UpstreamUnusable } from "../domain/failure/Upstream.ts"

/**
 * What leaves this room when a source of ledger data gives no answer. None of them ever means "nothing there".
 *
 * | failure | when |
 * |---|---|
 * | `NetworkUnavailable` | no endpoint answers: cut connections, server errors, time-outs, after the retries of `RetryPolicy.ts` |
 * | `UpstreamRateLimited` | endpoints answer 429 until the retries are used up, or ask for a longer wait than a request has |
 * | `UpstreamUnusable` | what every endpoint answers does not decode, or calls the question malformed |
 * | `DeadlineExceeded` | the time for one call ran out before every endpoint was queried |
 */
export const ChainFailure = Schema.Union(NetworkUnavailable, UpstreamRateLimited, UpstreamUnusable, DeadlineExceeded)
export type ChainFailure = typeof ChainFailure.Type

/** The sources this room asks. */
export type ChainSource = NonNullable<NetworkUnavailable["source"]>
