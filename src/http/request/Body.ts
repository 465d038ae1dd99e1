import type { HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Either, Schema } from "effect"
import { decoding } from "../../domain/failure/DecodeIssues.ts"
import { BadRequest, InvalidBody, type SecretKeyRefused } from "../../domain/failure/Input.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "../../domain/failure/Request.ts"
import { lazily } from "../../fibers/Lazily.ts"
import { CurrentPlace } from "../route/Place.ts"
import { parseBody, parseJson } from "./JsonBody.ts"

const cutOff = () => new BadRequest({ reason: "The body ended early. Send the request again." })

/**
 * Reads the whole body, at most `maxBytes`. A larger one, declared or chunked, is answered: what still arrives of it is
 * thrown away unread, so that the connection is not reset under the answer.
 */
const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<Uint8Array, PayloadTooLarge | BadRequest> =>
  Effect.async((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    if (source.destroyed && !source.complete) return resume(cutOff())
    const chunks: Array<Uint8Array> = []
    let size = 0
    const onData = (chunk: Uint8Array) => {
      size += chunk.length
      if (size > maxBytes) {
        stop()
        resume(new PayloadTooLarge({ maxBytes }))
      } else {
        chunks.push(chunk)
      }
    }
    const onEnd = () => {
      stop()
      resume(Effect.succeed(Buffer.concat(chunks)))
    }
    const onBroken = () => {
      stop()
      resume(cutOff())
    }
    const stop = () => {
      source.off("data", onData).off("end", onEnd).off("close", onBroken).off("error", onBroken)
      // A request that breaks later must not bring the process down, and what is left of it must flow away.
      source.on("error", () => {}).resume()
    }
    source.on("data", onData).on("end", onEnd).on("close", onBroken).on("error", onBroken)
    return Effect.sync(stop)
  })

const json = /^application\/json *(;.*)?$/i
const charset = /; *charset *= *"?([^";\s]+)/i

const isUtf8Json = (contentType: string): boolean => {
  const declared = charset.exec(contentType)?.[1]
  return json.test(contentType.trim()) && (declared === undefined || /^utf-?8$/i.test(declared))
}

/** Whether the request says that it carries a body. */
const declaresBody = (request: HttpServerRequest.HttpServerRequest): boolean =>
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

interface Asked {
  readonly request: HttpServerRequest.HttpServerRequest
}

type BodyFailure = BadRequest | InvalidBody | PayloadTooLarge | SecretKeyRefused

/** The JSON that a request holds. */
const jsonOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(
    CurrentPlace,
    ({ isBodyOptional, maxBodyBytes }) =>
      isBodyOptional && !declaresBody(request) ? Effect.succeed({}) : Effect.flatMap(readBody(request, maxBodyBytes), parseBody)
  )

/**
 * A handler that is given what the body decodes to, for `handleRaw`: the platform would decode the body before the query, name one wrong place
 * only, and take a form for JSON.
 */
export const withBody = <A, I, Given extends Asked, Answer, E, R>(
  schema: Schema.Schema<A, I>,
  handler: (given: Given & { readonly payload: A }) => Effect.Effect<Answer, E, R>
) => {
  const decode = lazily(() => decoding(schema))
  return (given: Given): Effect.Effect<Answer, E | BodyFailure, R> =>
    jsonOf(given.request).pipe(
      Effect.flatMap((json) => Either.mapLeft(decode()(json), (issues) => new InvalidBody({ issues }))),
      Effect.flatMap((payload) => handler({ ...given, payload }))
    ) as Effect.Effect<Answer, E | BodyFailure, R>
}

/** A handler that needs no body. One that is sent anyway is read, and may hold no secret. */
export const withoutBody = <Given extends Asked, Answer, E, R>(handler: (given: Given) => Effect.Effect<Answer, E, R>) =>
  withBody<unknown, unknown, Given, Answer, E, R>(Schema.Unknown, handler)

/** The JSON value of a body, read and searched by the rules of every other. Which values a route takes, it says itself. */
export const jsonValue = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, BodyFailure> =>
  // The route is provided around every handler.
  Effect.flatMap(CurrentPlace, ({ maxBodyBytes }) => Effect.flatMap(readBody(request, maxBodyBytes), parseJson)) as Effect.Effect<
    unknown,
    BodyFailure
  >
