import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { PayloadTooLarge, UnsupportedMediaType } from "../../domain/failure/Request.ts"

const json = /^application\/json *(;.*)?$/i
const charset = /; *charset *= *"?([^";\s]+)/i

const isUtf8Json = (contentType: string): boolean => {
  const declared = charset.exec(contentType)?.[1]
  return json.test(contentType.trim()) && (declared === undefined || /^utf-?8$/i.test(declared))
}

/** Whether the request says that it carries a body. */
export const declaresBody = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0

/** Whether nothing is said to be compressed, neither what is sent nor how it is sent. */
const isPlain = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["content-encoding"] ?? "identity").trim().toLowerCase() === "identity" &&
  (headers["transfer-encoding"] ?? "chunked").trim().toLowerCase() === "chunked"

/** What the headers say of the body, before any of it is read: not too large, and JSON in UTF-8, not compressed. */
export const checkDeclaredBody = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<void, PayloadTooLarge | UnsupportedMediaType> => {
  if (!declaresBody(request)) return Effect.void
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return new PayloadTooLarge({ maxBytes })
  return isUtf8Json(request.headers["content-type"] ?? "") && isPlain(request) ? Effect.void : new UnsupportedMediaType()
}
