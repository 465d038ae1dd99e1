import { Array as Arr, Duration, Effect } from "effect"
import { DeadlineExceeded } from "../domain/failure/Upstream.ts"
import { steadyNow } from "../fibers/SteadyTime.ts"
import type { RunOptions } from "./Attempt.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import { effectiveStatus, Endpoint, type EndpointSource, type Health } from "./Endpoint.ts"
import type { SurveyedEndpoint } from "./EndpointTip.ts"
import type { Fault } from "./Fault.ts"
import type { RejectedAge } from "./LedgerAge.ts"
import { retried } from "./pace/RetryPolicy.ts"
import { Stalls } from "./pace/Stalls.ts"
import { type EndpointGroup, round } from "./Round.ts"
import type { RoundFailed } from "./RoundFailed.ts"
import { attemptTimeout, callTimeout } from "./RpcPolicy.ts"
import { type AskTip, survey } from "./Survey.ts"

/** How an endpoint fared. */
export interface EndpointReport {
  /** Origin only: paths and queries may hold credentials. */
  readonly url: string
  /** `healthy` answered last; `degraded` failed last, or lags; `down` failed three times in a row, or serves another network. */
  readonly health: Health["status"]
  /** Moving average over answers in milliseconds; 0 before the first. */
  readonly avgLatencyMs: number
}

/** Puts a question to endpoints. */
export type Run = <A>(attempt: (url: URL) => Effect.Effect<A, Fault>, options?: RunOptions<A>) => Effect.Effect<A, ChainFailure>

/** Several endpoints of one source, used as one. */
export interface Endpoints {
  /**
   * Queries endpoint after endpoint until one answers, in rounds (`RetryPolicy.ts`). A request waits for an endpoint as long as its
   * patience says (`Patience.ts`). The wait is ten seconds outside of a request, and where the answer has to be searched for and no other
   * endpoint can be queried. Seconds in which this process itself was late are not counted. The whole call is cut off after eighteen
   * seconds. A question that an endpoint rejects as wrong is not put to another one.
   */
  readonly run: Run
  /** The same of some of them, by their places, and of no other: no request keeps to the one that answers. */
  readonly among: (places: Arr.NonEmptyReadonlyArray<number>) => Run
  /**
   * Queries the network and the newest ledger of every endpoint, all at once and once each. The answers decide which endpoints are queried
   * from now on: none that serves another network, and those that lag only after the others. One lags too where its newest ledger is too
   * old or too far ahead by the clock, and that of another one is not.
   */
  readonly survey: (ask: AskTip) => Effect.Effect<ReadonlyArray<SurveyedEndpoint>>
  readonly report: Effect.Effect<ReadonlyArray<EndpointReport>>
}

export interface EndpointsOptions extends EndpointSource {
  readonly urls: Arr.NonEmptyReadonlyArray<URL>
  /** Whether a request keeps to the endpoint that answered it first (`Pin.ts`). Left out: it does not. */
  readonly pins?: boolean
  readonly rejectedAge: RejectedAge
}

/** Rounds over all endpoints, or over some of them, until one succeeds or the retry policy ends. */
const runOver =
  (group: EndpointGroup, { network, source }: EndpointSource, only: ReadonlyArray<number> | null): Run => (attempt, options = {}) =>
    Effect.clockWith((clock) => {
      const until = steadyNow(clock) + Duration.toMillis(callTimeout)
      let rounds = 0
      let last: RoundFailed | null = null
      const once = Effect.suspend(() => round(group, attempt, { most: attemptTimeout, ...options, until, only, retry: rounds++ > 0 }))
      const noted = Effect.tapError(once, (failure) => Effect.sync(() => void (last = failure.isOverdue ? last : failure)))
      const failureOf = ({ isUnanswered }: RoundFailed) =>
        last === null || isUnanswered ? new DeadlineExceeded() : last.failure({ network, source })
      return Effect.mapError(retried(noted), failureOf)
    })

const reportOf = ({ health, url }: Endpoint): EndpointReport => ({
  url: url.origin,
  health: effectiveStatus(health),
  avgLatencyMs: Math.round(health.avgLatencyMs)
})

/** Endpoints of one source, nothing known of them yet. */
export const make = ({ pins = false, rejectedAge, urls, ...source }: EndpointsOptions): Effect.Effect<Endpoints> =>
  Effect.map(Stalls, (stalls): Endpoints => {
    const group: EndpointGroup = { all: Arr.map(urls, (url) => new Endpoint(url, source)), sticky: 0, pins, rejectedAge, stalls }
    return {
      run: runOver(group, source, null),
      among: (places) => runOver(group, source, places),
      survey: (ask) => survey(group, ask),
      report: Effect.sync(() => group.all.map(reportOf))
    }
  })
