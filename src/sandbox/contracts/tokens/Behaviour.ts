import { StrKey, xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"

const tokenFunctions = [
  "allowance",
  "approve",
  "balance",
  "burn",
  "burn_from",
  "decimals",
  "mint",
  "name",
  "symbol",
  "transfer",
  "transfer_from"
] as const

const TokenFunction = Schema.Literal(...tokenFunctions)
const functions = { functions: Schema.NonEmptyArray(TokenFunction) }

const Value = Schema.String.pipe(Schema.filter((text) => xdr.ScVal.validateXdr(text, "base64") || "an ScVal in base64"))
const Party = Schema.String.pipe(
  Schema.filter((text) => StrKey.isValidEd25519PublicKey(text) || StrKey.isValidContract(text) || "an address (G... or C...)")
)
const Contract = Schema.String.pipe(Schema.filter((text) => StrKey.isValidContract(text) || "the address of a contract (C...)"))
const Units = Schema.BigInt

const Fails = Schema.TaggedStruct("Fails", { ...functions, code: Schema.optionalWith(Schema.NonNegativeInt, { exact: true }) })
  .annotations({ description: "The functions end in a panic, or with the error number `code`." })

const NeverEnds = Schema.TaggedStruct("NeverEnds", functions)
  .annotations({
    description: "The functions loop without end: a simulation of them is never answered, a transaction runs out of instructions."
  })

const Answers = Schema.TaggedStruct("Answers", { function: TokenFunction, value: Value })
  .annotations({
    description:
      "The function answers `value` (ScVal, base64) whatever the truth is, of any type: decimals of 4294967295, a negative balance."
  })

const AnswersText = Schema.TaggedStruct("AnswersText", {
  function: TokenFunction,
  text: Schema.String,
  times: Schema.Int.pipe(Schema.between(1, 1_000_000))
}).annotations({ description: "The function answers `text`, `times` over: a symbol of 200 KB, control characters, emoji." })

const AnswersAnew = Schema.TaggedStruct("AnswersAnew", functions)
  .annotations({ description: "Numbers, and texts, that the functions answer are others at each call." })

const Ignores = Schema.TaggedStruct("Ignores", functions)
  .annotations({ description: "The functions ask for the agreement they need, tell of what they did, and do nothing." })

const TakesFee = Schema.TaggedStruct("TakesFee", { basisPoints: Schema.Int.pipe(Schema.between(1, 10_000)) })
  .annotations({ description: "Of each transfer that much stays with the token's contract." })

const MovesMore = Schema.TaggedStruct("MovesMore", { extra: Units })
  .annotations({ description: "Each transfer moves `extra` base units more than it says." })

const CallsOther = Schema.TaggedStruct("CallsOther", {
  ...functions,
  contract: Contract,
  function: Schema.Literal("transfer", "approve"),
  party: Party,
  amount: Units
})
  .annotations({
    description: "The functions have the caller's own `contract` send `amount` to `party`, or approve it: what the caller signs covers it."
  })

const Reenters = Schema.TaggedStruct("Reenters", functions)
  .annotations({ description: "The functions call the token again before they are done; the host does not let them." })

const Pretends = Schema.TaggedStruct("Pretends", {
  ...functions,
  kind: Schema.Literal("transfer", "approve"),
  from: Party,
  to: Party,
  amount: Units,
  times: Schema.Int.pipe(Schema.between(1, 1_000))
}).annotations({ description: "The functions tell of `times` transfers or approvals that never were, of anybody's." })

/** What a token does that an honest one does not. Several may come together. */
export const Behaviour = Schema.Union(
  Answers,
  AnswersAnew,
  AnswersText,
  CallsOther,
  Fails,
  Ignores,
  MovesMore,
  NeverEnds,
  Pretends,
  Reenters,
  TakesFee
)
export type Behaviour = typeof Behaviour.Type

/** How behaviours are kept in an instance: as JSON. */
export const BehavioursText = Schema.parseJson(Schema.Array(Behaviour))
