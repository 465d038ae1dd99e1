import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { createHash } from "node:crypto"
import { codedTag, type ContentCoding } from "./ContentCoding.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** Clients use a kept answer for five minutes without a request. Then they send its hash, and get the bytes only if these changed. */
const freshness = "public, max-age=300"

/** Lets clients keep an answer that is the same for every caller until the next version. */
export const cacheable = (answer: Answer): Answer => {
  if (answer.body._tag !== "Uint8Array") throw new Error("only an answer that is made already has a hash")
  const etag = `"${createHash("sha256").update(answer.body.body).digest("base64url")}"`
  return HttpServerResponse.setHeaders(answer, { etag, "cache-control": freshness })
}

/** The tags that a client names, each as that of the bytes before any coding. */
const namedIn = (header: string): ReadonlyArray<string> =>
  header.split(",").map((tag) => tag.trim().replace(/^W\//, "").replace(/-(br|gzip)"$/, "\""))

/** The answer, or 304 without a body where the client has these very bytes already (`If-None-Match`), in whichever coding. */
export const unlessKnown = (
  { headers }: HttpServerRequest.HttpServerRequest,
  answer: Answer,
  coding: ContentCoding | null
): Answer => {
  const { "cache-control": control, etag } = answer.headers
  const known = headers["if-none-match"]
  if (etag === undefined || known === undefined || !namedIn(known).some((one) => one === etag || one === "*")) return answer
  return HttpServerResponse.empty({
    status: 304,
    headers: { etag: codedTag(etag, coding ?? "identity"), "cache-control": control ?? freshness }
  })
}
