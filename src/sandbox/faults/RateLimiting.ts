import { Clock, Effect, Schema } from "effect"
import { rateLimit } from "../rest/RateLimitHeaders.ts"
import { type ApiRequest, errorResponse, retryAfter } from "./ApiRequest.ts"

export class TooManyRequests extends Schema.TaggedClass<TooManyRequests>("TooManyRequests")("TooManyRequests", {
  retryAfterSeconds: Schema.optionalWith(Schema.NonNegativeInt, { exact: true })
    .annotations({ description: "What `Retry-After` says; left out, there is no such header." })
}, {
  description: "429: the caller has used up its share of requests."
}) {
  answer(request: ApiRequest) {
    const limits = request._tag === "RpcRequest"
      ? {}
      : {
        "x-ratelimit-limit": rateLimit.toString(),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": (this.retryAfterSeconds ?? 1).toString()
      }
    return Effect.succeed(
      errorResponse(request, { status: 429, type: "rate_limit_exceeded", title: "Rate Limit Exceeded" }, {
        ...limits,
        ...retryAfter(this.retryAfterSeconds)
      })
    )
  }
}

/** Of each rule, the second that runs, when it began, and what was let through in it. */
const windows = new WeakMap<RequestsPerSecond, { readonly began: number; readonly passed: number }>()

export class RequestsPerSecond extends Schema.TaggedClass<RequestsPerSecond>("RequestsPerSecond")("RequestsPerSecond", {
  requests: Schema.Int.pipe(Schema.positive())
}, {
  description: "A source that allows so many requests a second, by the clock of the network; all beyond are 429, with a `Retry-After` of 1."
}) {
  /** Whether a request is let through. Counts. */
  get passes(): Effect.Effect<boolean> {
    return Effect.map(Clock.currentTimeMillis, (now) => {
      const known = windows.get(this)
      const { began, passed } = known !== undefined && Math.abs(now - known.began) < 1_000 ? known : { began: now, passed: 0 }
      windows.set(this, { began, passed: passed + 1 })
      return passed < this.requests
    })
  }

  answer(request: ApiRequest) {
    return new TooManyRequests({ retryAfterSeconds: 1 }).answer(request)
  }
}
