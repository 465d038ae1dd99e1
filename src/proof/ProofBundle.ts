import { Schema } from "effect"
import { AccountAddress } from "../domain/Address.ts"
import { Network } from "../domain/Network.ts"

/** Milliseconds that a computation may take at most. A file with a longer wait in it is none. */
const longest = 600_000

/** What a call of a source ended with. */
export const CallEnd = Schema.Union(
  Schema.Struct({
    status: Schema.Int,
    headers: Schema.Record({ key: Schema.String, value: Schema.String }),
    text: Schema.String
  }),
  Schema.Struct({ failure: Schema.String.annotations({ description: "Why there was no answer, in words." }) }),
  Schema.Struct({ cut: Schema.Literal(true).annotations({ description: "The computation stopped waiting for it." }) })
)
export type CallEnd = typeof CallEnd.Type

/** One call of a source of ledger data. */
export const SourceCall = Schema.Struct({
  method: Schema.String,
  /** Stands for the endpoint, with the path and the query of the call. */
  url: Schema.String,
  body: Schema.NullOr(Schema.String),
  /** Milliseconds from the beginning of the computation to the end of the call. */
  endedAt: Schema.Number.pipe(Schema.between(0, longest)),
  end: CallEnd
})
export type SourceCall = typeof SourceCall.Type

/** What is computed: the answer of `POST /close/plan`, or of `POST /close/transactions`. */
export const Operation = Schema.Literal("plan", "transactions")
export type Operation = typeof Operation.Type

/** Everything that a computation has besides the answers of its sources. */
export const ProofTerms = Schema.Struct({
  operation: Operation,
  /** The body of the request. */
  request: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  /** Milliseconds since 1970: the date of the whole computation. */
  date: Schema.Number,
  network: Network,
  passphrase: Schema.String,
  sandbox: Schema.Boolean,
  /** What stands for the endpoints: those of one origin have one host. */
  rpcUrls: Schema.NonEmptyArray(Schema.String),
  /** None where the network has no ledger API. */
  ledgerApiUrls: Schema.Array(Schema.String),
  mediator: Schema.NullOr(AccountAddress),
  /** Settings by name. */
  settings: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** Files that settings name: contracts, tokens, exchanges. */
  files: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** Announcements that were scanned before, by what was scanned. */
  scans: Schema.Record({ key: Schema.String, value: Schema.String })
})
export type ProofTerms = typeof ProofTerms.Type

/** What computed it. */
export const ProofVersions = Schema.Struct({ service: Schema.String, node: Schema.String, modelProtocol: Schema.Int })
export type ProofVersions = typeof ProofVersions.Type

/** A plan, and everything that it was computed from. It holds no address of an endpoint and no secret. */
export const ProofBundle = Schema.Struct({
  format: Schema.Literal("closeout-proof-1"),
  versions: ProofVersions,
  terms: ProofTerms,
  calls: Schema.Array(SourceCall),
  /** The JSON of the answer. */
  answer: Schema.String
})
export type ProofBundle = typeof ProofBundle.Type
