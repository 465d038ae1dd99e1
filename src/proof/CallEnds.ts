import { HttpClientError, type HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { Effect } from "effect"
import type { CallEnd, SourceCall } from "./ProofBundle.ts"

/** A call without its end. */
export type Question = Pick<SourceCall, "method" | "url" | "body">

const utf8 = new TextDecoder()

/** What a request asks, at the address that it names. */
export const questionOf = ({ body, method }: HttpClientRequest.HttpClientRequest, { href }: URL): Question => ({
  method,
  url: href,
  body: body._tag === "Uint8Array" ? utf8.decode(body.body) : null
})

/** The end of a call as a client reports it. */
export const ended = (
  request: HttpClientRequest.HttpClientRequest,
  end: CallEnd
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.RequestError> => {
  if ("cut" in end) return Effect.never
  if ("failure" in end) {
    return Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", description: end.failure }))
  }
  const { headers, status, text } = end
  return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(text === "" ? null : text, { status, headers })))
}
