import { Schema } from "effect"
import { Int } from "../Leaf.ts"
import { MemoType } from "../Memo.ts"
import { Issue } from "./Issue.ts"

const reason = Schema.String.annotations({ description: "What is wrong, in words." })
const issues = Schema.Array(Issue).annotations({ description: "Everything that is wrong, each with its place." })

/** The request cannot be read at all. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", { reason }) {
  override get message() {
    return this.reason
  }
}
/** The path names a network that does not exist. */
export class InvalidNetwork extends Schema.TaggedError<InvalidNetwork>()("InvalidNetwork", {}) {
  override get message() {
    return "The network in the path must be mainnet or testnet."
  }
}
/** The body lacks a field, has one of the wrong shape, or is no JSON object. */
export class InvalidBody extends Schema.TaggedError<InvalidBody>()("InvalidBody", { issues }) {
  override get message() {
    const first = this.issues[0]
    const where = first === undefined || first.path === "" ? "The body" : first.path
    const message = first?.message ?? "has the wrong shape"
    const colon = /^[A-Z]/.test(message) ? ":" : ""
    return `${where}${colon} ${message.replace(/\.$/, "")}. Correct the body and send it again.`.slice(0, 240)
  }
}
/** The address in the path is no account address. */
export class InvalidAddress extends Schema.TaggedError<InvalidAddress>()("InvalidAddress", { reason }) {
  override get message() {
    return this.reason
  }
}
/** The `tokens` list is malformed, too long, has duplicates, or an entry of the wrong kind. */
export class InvalidTokens extends Schema.TaggedError<InvalidTokens>()("InvalidTokens", { reason }) {
  override get message() {
    return this.reason
  }
}
/** An asset identifier is neither `native` nor `CODE:ISSUER`. */
export class InvalidAsset extends Schema.TaggedError<InvalidAsset>()("InvalidAsset", {
  asset: Schema.String.annotations({ description: "The wrong value, cut after 100 characters." })
}) {
  override get message() {
    return "The asset must be native, CODE:ISSUER with a valid issuer address, or the contract of a token."
  }
}
/** An amount is no positive decimal with at most seven places. */
export class InvalidAmount extends Schema.TaggedError<InvalidAmount>()("InvalidAmount", {}) {
  override get message() {
    return "The amount must be a decimal number above zero with at most seven fractional digits; of the contract of a token, a whole number of its base units."
  }
}
/** Query parameters are missing. */
export class MissingParameters extends Schema.TaggedError<MissingParameters>()("MissingParameters", {
  missing: Schema.Array(Schema.String).annotations({ description: "Names of the parameters that are missing." })
}) {
  override get message() {
    return `Add the missing query parameters: ${this.missing.join(", ")}.`
  }
}
/** The account to close is no account address. */
export class InvalidSource extends Schema.TaggedError<InvalidSource>()("InvalidSource", { reason }) {
  override get message() {
    return this.reason
  }
}
/** The destination is no address, is the source itself, or is a muxed address that nothing may be sent to. */
export class InvalidDestination extends Schema.TaggedError<InvalidDestination>()("InvalidDestination", { reason }) {
  override get message() {
    return this.reason
  }
}
/** The memo has the wrong type for the destination, or a value its type does not allow. */
export class InvalidMemo extends Schema.TaggedError<InvalidMemo>()("InvalidMemo", {
  memoType: MemoType,
  rule: Schema.String.annotations({ description: "The rule that the memo breaks, in words." })
}) {
  override get message() {
    return this.rule
  }
}
/** An answer is malformed, of an unknown kind, not offered, or lacks what its choice needs. */
export class InvalidDecisions extends Schema.TaggedError<InvalidDecisions>()("InvalidDecisions", { issues }) {
  override get message() {
    const first = this.issues[0]
    return `${first?.path ?? "decisions"}: ${first?.message ?? "malformed"}. Send back an option of the plan's decision point.`.slice(
      0,
      240
    )
  }
}
/** The owner of an allowance is no account address. */
export class InvalidOwner extends Schema.TaggedError<InvalidOwner>()("InvalidOwner", {}) {
  override get message() {
    return "The owner must be an account address (G...)."
  }
}
/** A token is no contract address. */
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("InvalidToken", {}) {
  override get message() {
    return "The token must be a contract address (C...)."
  }
}
/** A spender is neither a contract nor an account address. */
export class InvalidSpender extends Schema.TaggedError<InvalidSpender>()("InvalidSpender", {}) {
  override get message() {
    return "The spender must be a contract address (C...) or an account address (G...)."
  }
}
/** At a token's address there is no contract. */
export class TokenMissing extends Schema.TaggedError<TokenMissing>()("TokenMissing", {}) {
  override get message() {
    return "There is no contract at the token's address on this network."
  }
}
/** A spender may take nothing: it was never allowed to, or that is revoked, used up or over. */
export class NothingToRevoke extends Schema.TaggedError<NothingToRevoke>()("NothingToRevoke", {}) {
  override get message() {
    return "The spender has no live allowance for this token from the owner, so there is nothing to revoke."
  }
}
/** The accounts of a batch are missing, malformed or listed twice. */
export class InvalidAccounts extends Schema.TaggedError<InvalidAccounts>()("InvalidAccounts", { reason }) {
  override get message() {
    return this.reason
  }
}
/** A batch names more accounts than one call may. */
export class TooManyAccounts
  extends Schema.TaggedError<TooManyAccounts>()("TooManyAccounts", { max: Int.annotations({ description: "Most accounts in one call." }) })
{
  override get message() {
    return `A batch holds at most ${this.max} accounts. Split it.`
  }
}
/** `feePayer` is neither `source` nor `fee_bump`, or is `fee_bump` where the account itself must pay. */
export class InvalidFeePayer extends Schema.TaggedError<InvalidFeePayer>()("InvalidFeePayer", { reason }) {
  override get message() {
    return this.reason
  }
}
/** `validForSeconds` is out of range. */
export class InvalidValidity extends Schema.TaggedError<InvalidValidity>()("InvalidValidity", {}) {
  override get message() {
    return "validForSeconds must be a whole number from 60 to 86400."
  }
}
/** An envelope does not decode, or is of the wrong kind. */
export class InvalidTransaction extends Schema.TaggedError<InvalidTransaction>()("InvalidTransaction", { reason }) {
  override get message() {
    return this.reason
  }
}
/** A rate limit setting is out of range. */
export class InvalidRateLimit extends Schema.TaggedError<InvalidRateLimit>()("InvalidRateLimit", {}) {
  override get message() {
    return "rateLimit needs limit from 1 to 1000000 and windowSeconds from 1 to 86400."
  }
}
/** `maxSlippageBps` is out of range. */
export class InvalidSlippage extends Schema.TaggedError<InvalidSlippage>()("InvalidSlippage", {}) {
  override get message() {
    return "maxSlippageBps must be a whole number from 1 to 5000."
  }
}
/** A transaction hash is not 64 hex characters. */
export class InvalidHash extends Schema.TaggedError<InvalidHash>()("InvalidHash", {}) {
  override get message() {
    return "The transaction hash must be 64 hex characters."
  }
}
/** The request contains a secret seed. It is refused whole and never logged. */
export class SecretKeyRefused extends Schema.TaggedError<SecretKeyRefused>()("SecretKeyRefused", {}) {
  override get message() {
    return "The request contains a secret seed (S...). Never send one: this service only builds unsigned transactions. Treat that key as exposed."
  }
}
