import { Effect, Schema } from "effect"
import { RATE_LIMIT } from "../rest/RateLimitHeaders.ts"
import type { Asked } from "./Asked.ts"
import { refusal, retryAfter } from "./Refusal.ts"

export class TooManyRequests extends Schema.TaggedClass<TooManyRequests>("TooManyRequests")("TooManyRequests", {
  retryAfterSeconds: Schema.optionalWith(Schema.NonNegativeInt, { exact: true })
    .annotations({ description: "What `Retry-After` says; left out, there is no such header." })
}, {
  description: "429: the caller has used up its share of requests."
}) {
  answer(asked: Asked) {
    const limits = asked.api === "rpc"
      ? {}
      : {
        "x-ratelimit-limit": RATE_LIMIT.toString(),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": (this.retryAfterSeconds ?? 1).toString()
      }
    return Effect.succeed(
      refusal(asked, { status: 429, type: "rate_limit_exceeded", title: "Rate Limit Exceeded" }, {
        ...limits,
        ...retryAfter(this.retryAfterSeconds)
      })
    )
  }
}
