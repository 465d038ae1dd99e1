import type { HttpServerRequest } from "@effect/platform"
import { Effect, Either, Schema } from "effect"
import { issuesOf } from "../../domain/failure/DecodeIssues.ts"
import { type BadRequest, InvalidBody, type SecretKeyRefused } from "../../domain/failure/Input.ts"
import type { PayloadTooLarge } from "../../domain/failure/Request.ts"
import { lazily } from "../../fibers/Lazily.ts"
import { CurrentPlace } from "../route/Place.ts"
import { declaresBody } from "./DeclaredBody.ts"
import { parseBody } from "./JsonBody.ts"
import { readBody } from "./ReadBody.ts"

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
  const decode = lazily(() => Schema.decodeUnknownEither(schema))
  return (given: Given): Effect.Effect<Answer, E | BodyFailure, R> =>
    jsonOf(given.request).pipe(
      Effect.flatMap((json) => Either.mapLeft(decode()(json), (error) => new InvalidBody({ issues: issuesOf(error) }))),
      Effect.flatMap((payload) => handler({ ...given, payload }))
    ) as Effect.Effect<Answer, E | BodyFailure, R>
}

/** A handler that asks for no body. One that is sent all the same is read, and may hold no secret. */
export const withoutBody = <Given extends Asked, Answer, E, R>(handler: (given: Given) => Effect.Effect<Answer, E, R>) =>
  withBody<unknown, unknown, Given, Answer, E, R>(Schema.Unknown, handler)
