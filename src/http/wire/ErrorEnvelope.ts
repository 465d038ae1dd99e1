import { HttpServerResponse } from "@effect/platform"
import { Either, Predicate, Schema } from "effect"
import { type AnyFailure, ErrorTable, failures, type FailureTag } from "../../api/ErrorTable.ts"
import { textMemo } from "../../fibers/TextMemo.ts"

const seconds = {
  /** Something that comes back by itself. */
  short: 5,
  /** An outage, or a source that is catching up. */
  outage: 30
}

/** Seconds to wait, told with every 429 and with each 503 that waiting may help. */
const retryAfter = (failure: AnyFailure): number => {
  switch (failure._tag) {
    case "RateLimited":
    case "UpstreamRateLimited":
    case "ServiceBusy":
      return Math.max(1, failure.retryAfterSeconds)
    case "NetworkUnavailable":
    case "MediatorOverfunded":
      return seconds.outage
    default:
      return seconds.short
  }
}

/** What a failure becomes on the wire, and whether a value is one, by its row. Made when a failure first occurs: all at once delay the start. */
const codecOf = textMemo(Object.keys(ErrorTable).length, (tag: FailureTag) => {
  const schema = failures(tag)
  return { encode: Schema.encodeEither(schema), is: Schema.is(Schema.typeSchema(schema)) }
})

const isFailureTag = (tag: unknown): tag is FailureTag => Predicate.isString(tag) && Object.hasOwn(ErrorTable, tag)

/** Whether a value is a failure that has a row, of the right class. */
export const isKnownFailure = (value: unknown): value is AnyFailure =>
  Predicate.hasProperty(value, "_tag") && isFailureTag(value._tag) && codecOf(value._tag).is(value)

/** Code, message and details of a failure, as they stand inside the envelope. A failure that cannot be encoded is a defect. */
export const failureBody = (
  failure: AnyFailure,
  requestId: string
): { readonly code: string; readonly message: string; readonly details: Readonly<Record<string, unknown>> } => {
  const { code, details, message } = Either.getOrThrow(codecOf(failure._tag).encode(failure)).error
  return { code, message, details: { ...details, requestId } }
}

/** The answer to a failure: its envelope at its status. None when its fields cannot be encoded, which is a defect. */
export const failureResponse = (
  failure: AnyFailure,
  requestId: string,
  links: (json: string) => string
): Either.Either<HttpServerResponse.HttpServerResponse, unknown> => {
  const { status } = ErrorTable[failure._tag]
  return Either.map(
    codecOf(failure._tag).encode(failure),
    ({ error: { details, ...error } }) =>
      HttpServerResponse.text(links(JSON.stringify({ error: { ...error, details: { ...details, requestId } } })), {
        status,
        contentType: "application/json",
        headers: {
          ...(status === 429 || (status === 503 && details.retry !== "never") ? { "retry-after": String(retryAfter(failure)) } : {}),
          ...(failure._tag === "MethodNotAllowed" ? { allow: failure.allow.join(", ") } : {}),
          ...(failure._tag === "Unauthorized" ? { "www-authenticate": "Bearer" } : {})
        }
      })
  )
}
