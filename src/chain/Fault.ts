import { Data } from "effect"
import type { Duration } from "effect"

/** The endpoint answers 429, or rests because it did. */
export class Throttled extends Data.TaggedError("Throttled")<{
  /** How long it asked to be left alone; null when it did not say. */
  readonly retryAfter: Duration.Duration | null
}> {}

/** No answer: a cut connection, a time-out, a server error. */
export class Unreachable extends Data.TaggedError("Unreachable")<{
  readonly reason: string
  /** It gave up because the question covers too much: a smaller one may be answered. */
  readonly tooMuch?: boolean
  /** The request has waited for it for as long as it will. */
  readonly givenUp?: boolean
}> {}

/** An answer that is not what was requested: it does not decode, or has a status that fits nothing. */
export class Undecodable extends Data.TaggedError("Undecodable")<{ readonly reason: string }> {}

/** A well-formed answer that calls the question wrong. Another endpoint would say the same. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly reason: string
  /** Of a JSON-RPC error. */
  readonly code?: number
}> {}

/**
 * What went wrong in one attempt at one endpoint. Private to this room; `reason` goes to the log and holds no body, no address
 * and no URL.
 */
export type Fault = Throttled | Unreachable | Undecodable | Refused
