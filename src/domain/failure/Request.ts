import { Schema } from "effect"
import { Amount } from "../Amount.ts"
import { counted } from "../CountedNoun.ts"
import { Int } from "../Leaf.ts"
import { Memo } from "../Memo.ts"
import { optional } from "../OptionalField.ts"

/** No API key, or none that is live. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {}) {
  override get message() {
    return "Send a live API key, or the token that this route requires, as Authorization: Bearer <key>."
  }
}
/** A challenge opens no session. The reason is not reported: a caller who signed it properly and in time needs only a new one. */
export class ChallengeRefused extends Schema.TaggedError<ChallengeRefused>()("ChallengeRefused", {}) {
  override get message() {
    return "The challenge is not from this service, has expired, was already used, or is not signed by the account. Request a new one and sign it."
  }
}
/** A session of the page `/close` is for one account, and the request is about another. */
export class SessionScope extends Schema.TaggedError<SessionScope>()("SessionScope", {}) {
  override get message() {
    return "This session is for another account. Sign in with a key of the account that the request or the transaction is about."
  }
}
/** No such route. */
export class RouteNotFound extends Schema.TaggedError<RouteNotFound>()("RouteNotFound", {}) {
  override get message() {
    return "This route does not exist. GET /openapi.json lists all routes."
  }
}

/** The account does not exist on this network, or its end is not the one asked for. What is known of that end is reported. */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  address: Schema.String.annotations({ description: "The account." }),
  mergedInto: optional(Schema.String).annotations({ description: "The account that its merge paid." }),
  paid: optional(
    Schema.Struct({
      destination: Schema.String.annotations({ description: "The account that received." }),
      amount: Amount.annotations({ description: "Lumens that arrived." })
    }).annotations({ identifier: "LastPayment", description: "Where the lumens went in the end." })
  ).annotations({ description: "Where the lumens went in the end." }),
  memo: optional(Memo).annotations({ description: "The memo that the lumens carried." }),
  hash: optional(Schema.String).annotations({ description: "The transaction that merged it." }),
  searchedTo: optional(Int).annotations({ description: "The oldest ledger to which its history was searched." })
}) {
  override get message() {
    if (this.mergedInto !== undefined) {
      return "The account was merged, but not as this request says. Compare the destination and memo in details."
    }
    if (this.searchedTo !== undefined) {
      return "The account does not exist, and its newest transactions contain no merge. If you know the merge, send its hash as mergeHash."
    }
    return this.hash === undefined
      ? "The account does not exist on this network."
      : "The account does not exist, and the transaction in mergeHash did not merge it."
  }
}
/** No API key with that id. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", {
  id: Schema.String.annotations({ description: "The id of the request." })
}) {
  override get message() {
    return "There is no API key with that id."
  }
}
/** The route exists, but not with this method; the `Allow` header names those it has. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allow: Schema.Array(Schema.String).annotations({ description: "Methods that the route has." })
}) {
  override get message() {
    return `This route supports only ${this.allow.join(", ")}.`
  }
}
/** The body is larger than the route takes. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", {
  maxBytes: Int.annotations({ description: "Largest body that the route takes, in bytes." })
}) {
  override get message() {
    return `The body may hold at most ${counted(this.maxBytes, "byte")}.`
  }
}
/** The body is not declared as JSON. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {}) {
  override get message() {
    return "Send the body as Content-Type: application/json, in UTF-8 and not compressed."
  }
}
/** More requests than the rate allows. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retryAfterSeconds: Int.annotations({ description: "Seconds to wait before a retry." })
}) {
  override get message() {
    return `Too many requests. Try again in ${counted(this.retryAfterSeconds, "second")}.`
  }
}
/** An address already has as many live keys as it may. */
export class KeyLimitReached extends Schema.TaggedError<KeyLimitReached>()("KeyLimitReached", {}) {
  override get message() {
    return "This address has 5 live keys. Revoke one first."
  }
}
/** A fault of the service itself. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", {}) {
  override get message() {
    return "The service had an internal error. Try again. If you report it, quote X-Request-Id."
  }
}
