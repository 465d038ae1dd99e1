import type { HttpServerResponse } from "@effect/platform"
import { Cause, Effect, Exit } from "effect"
import { type CallTally, emptyTally, tallied, waitedMillis } from "../chain/ObservedCall.ts"
import { annotated, traced } from "../fibers/Traced.ts"
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
  /** Id of the key with which it came; null where there was no live one. */
  keyId: string | null
}

/** Methods by which anything is served. Others are not told apart: a caller chooses them. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"])

export const requestTrail = (id: string, method: string, route: string): RequestTrail => ({
  id,
  method: methods.has(method) ? method : "other",
  route,
  tally: emptyTally(),
  code: null,
  keyId: null
})

/** The caller hung up before there was an answer. */
const hungUp = { status: 499, code: "hung_up" }

/**
 * One line of the log, one count and, where traces are collected, one span for each request: its route as a template, how it went, and
 * its calls to sources. With the id of the key, and no path, query, body, address or key. Every line has the same fields.
 * Other lines that the request writes name its id.
 */
export const followed = (trail: RequestTrail) => <E, R>(answer: Effect.Effect<Answer, E, R>): Effect.Effect<Answer, E, R> => {
  const { id, method, route, tally } = trail
  const attributes = { "request.id": id, "http.request.method": method, "http.route": route }
  const answering = Effect.clockWith((clock) => {
    const start = clock.unsafeCurrentTimeNanos()
    countBegun()
    const told = (status: number, code: string | null) => {
      const now = clock.unsafeCurrentTimeNanos()
      countEnded({ method, route, status, code, nanos: now - start })
      const fields = {
        method,
        route,
        status,
        code,
        keyId: trail.keyId,
        durationMs: Math.round(Number(now - start) / 1e6),
        upstreamCalls: tally.calls,
        upstreamMs: waitedMillis(tally, now)
      }
      return Effect.zipRight(annotated("http.response.status_code", status), Effect.logInfo("request", fields))
    }
    return Effect.onExit(answer, (exit) => {
      if (Exit.isSuccess(exit)) return told(exit.value.status, trail.code)
      return Cause.isInterruptedOnly(exit.cause) ? told(hungUp.status, hungUp.code) : Effect.void
    })
  })
  return answering.pipe(
    traced("http.request", () => ({ kind: "server", attributes })),
    tallied(tally),
    Effect.annotateLogs("requestId", id)
  )
}
