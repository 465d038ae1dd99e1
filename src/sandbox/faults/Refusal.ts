import { HttpServerResponse } from "@effect/platform"
import { Problem, problemResponse } from "../rest/Problem.ts"
import type { Asked } from "./Asked.ts"

/** How a fault turns a request away: what stands in front of a contract RPC answers in plain text, the ledger API by a problem. */
export const refusal = (
  asked: Asked,
  { status, title, type }: { readonly status: number; readonly type: string; readonly title: string },
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(
    asked.api === "rpc"
      ? HttpServerResponse.text(title.toLowerCase(), { status })
      : problemResponse(new Problem({ status, type, title })),
    headers
  )

/** The `Retry-After` header of a number of seconds; none without one. */
export const retryAfter = (seconds: number | undefined): Readonly<Record<string, string>> =>
  seconds === undefined ? {} : { "retry-after": seconds.toString() }
