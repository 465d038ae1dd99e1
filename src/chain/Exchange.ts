import { type Headers, HttpClient, type HttpClientRequest } from "@effect/platform"
import { Clock, Duration, Effect } from "effect"
import { whereTraced } from "../fibers/Traced.ts"
import { type Fault, Throttled, Unreachable } from "./Fault.ts"
import { type CallPlace, observedCall } from "./ObservedCall.ts"
import { longestRest } from "./RpcPolicy.ts"

/** An HTTP answer that is neither an outage nor a refusal for too many requests. */
export interface Answer {
  readonly status: number
  readonly headers: Headers.Headers
  readonly text: string
}

/**
 * The client this room uses: it makes no spans, which would hold whole URLs and with them credentials, and so sends no trace headers to
 * foreign hosts either.
 */
export const quiet = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transformResponse(client, whereTraced(Effect.locally(HttpClient.currentTracerDisabledWhen, () => true)))

/** How a client describes that it stopped reading an answer. */
export const tooLarge = "a response that is too large"

/**
 * One request and its whole answer, observed as a call of that place. 429 is `Throttled`; 408, 5xx, a broken connection and an answer that
 * is too large are `Unreachable`.
 */
export const exchange = (
  client: HttpClient.HttpClient,
  place: CallPlace,
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<Answer, Fault> =>
  observedCall(place)(
    Effect.matchEffect(Effect.flatMap(client.execute(request), (response) => Effect.map(response.text, (text) => ({ response, text }))), {
      onFailure: ({ description }) => new Unreachable({ reason: description === tooLarge ? tooLarge : "connection" }),
      onSuccess: ({ response, text }): Effect.Effect<Answer, Fault> => {
        const { headers, status } = response
        if (status === 429) return Effect.flatMap(retryAfter(headers), (wait) => new Throttled({ retryAfter: wait }))
        if (status === 408 || status >= 500) return new Unreachable({ reason: `status ${status}` })
        return Effect.succeed({ status, headers, text })
      }
    })
  )

/** `Retry-After` in seconds or as a date, as far as an endpoint may rest; null when absent or senseless. */
const retryAfter = (headers: Headers.Headers): Effect.Effect<Duration.Duration | null> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const text = headers["retry-after"]?.trim()
    if (text === undefined) return null
    if (/^[0-9]{1,9}$/.test(text)) return Duration.min(Duration.seconds(Number(text)), longestRest)
    const date = Date.parse(text)
    return Number.isNaN(date) ? null : Duration.min(Duration.millis(Math.max(0, date - now)), longestRest)
  })
