import type { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { type CallTally, emptyTally, tallied, waitedMillis } from "../chain/CallTally.ts"
import { annotated, traced } from "../domain/Traced.ts"
import { countBegun, countEnded } from "./metrics/RequestMetrics.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** What is known of a request while it is answered. */
export interface RequestTrail {
  readonly id: string
  readonly method: string
  /** The template of the contract, or `none`. */
  readonly route: string
  readonly tally: CallTally
  /** The error it is answered with, by the error table; null where there was none. */
  code: string | null
}

/** Methods by which anything is served. Others are not told apart: a caller chooses them. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"])

export const requestTrail = (id: string, method: string, route: string): RequestTrail => ({
  id,
  method: methods.has(method) ? method : "other",
  route,
  tally: emptyTally(),
  code: null
})

/** The caller hung up before there was an answer. */
const hungUp = { status: 499, code: "hung_up" }

/**
 * One line of the log, one count and, where traces are collected, one span for each request: what was asked by its template, how it went, and
 * what it asked of its sources. No path, query, body, address or key. Every line has the same fields.
 */
export const followed = (trail: RequestTrail) => <E, R>(answer: Effect.Effect<Answer, E, R>): Effect.Effect<Answer, E, R> =>
  Effect.gen(function*() {
    const { id, method, route, tally } = trail
    const clock = yield* Effect.clock
    const start = clock.unsafeCurrentTimeNanos()
    countBegun()
    const told = (status: number, code: string | null) =>
      Effect.suspend(() => {
        const now = clock.unsafeCurrentTimeNanos()
        countEnded({ method, route, status, code, nanos: now - start })
        return Effect.zipRight(
          annotated("http.response.status_code", status),
          Effect.annotateLogs(Effect.logInfo("request"), {
            method,
            route,
            status,
            code,
            durationMs: Math.round(Number(now - start) / 1e6),
            upstreamCalls: tally.calls,
            upstreamMs: waitedMillis(tally, now)
          })
        )
      })
    return yield* tallied(tally)(answer).pipe(
      Effect.tap(({ status }) => told(status, trail.code)),
      Effect.onInterrupt(() => told(hungUp.status, hungUp.code)),
      traced("http.request", () => ({
        kind: "server",
        attributes: { "request.id": id, "http.request.method": method, "http.route": route }
      })),
      Effect.annotateLogs({ requestId: id })
    )
  })
