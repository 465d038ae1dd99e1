import { xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const Base64 = Schema.String

/** One entry of a recorded state. */
const Entry = Schema.Struct({ key: Base64, xdr: Base64, liveUntilLedgerSeq: Schema.optional(Schema.Number) })

const Fact = Schema.Struct({ getter: Schema.String, xdr: Schema.optional(Base64), error: Schema.optional(Schema.String) })

const State = Schema.Struct({
  ledger: Schema.Number,
  closeTime: Schema.String,
  entries: Schema.Array(Entry),
  expected: Schema.Record({ key: Schema.String, value: Fact })
})

const Call = Schema.Struct({
  name: Schema.String,
  state: Schema.String,
  stateExact: Schema.Boolean,
  ledger: Schema.Number,
  closeTime: Schema.String,
  source: Schema.String,
  contract: Schema.String,
  function: Schema.String,
  args: Schema.Array(Base64),
  ok: Schema.Boolean,
  result: Schema.optional(Base64),
  auth: Schema.optional(Schema.Array(Base64)),
  transactionData: Schema.optional(Base64),
  errorCode: Schema.optional(Schema.String),
  stateChanges: Schema.optional(
    Schema.Array(
      Schema.Struct({ type: Schema.String, key: Base64, before: Schema.NullOr(Base64), after: Schema.NullOr(Base64) })
    )
  ),
  events: Schema.optional(Schema.Array(Base64)),
  enforcedLater: Schema.optional(
    Schema.Array(Schema.Struct({ ledgers: Schema.Number, seconds: Schema.Number, outcome: Schema.String }))
  )
})
export type Call = typeof Call.Type

const Contract = Schema.Struct({ address: Schema.String, wasmHash: Schema.String })

/** Results of real contract code, recorded from the reference host: see the recording's own notes. */
export const Recording = Schema.Struct({
  network: Schema.Struct({ passphrase: Schema.String }),
  contracts: Schema.Record({ key: Schema.String, value: Contract }),
  accounts: Schema.Record({ key: Schema.String, value: Schema.String }),
  user: Schema.String,
  states: Schema.Record({ key: Schema.String, value: State }),
  calls: Schema.Array(Call)
})
export type Recording = typeof Recording.Type
export type RecordedState = typeof State.Type

export const readRecording = (name: string): Recording =>
  Schema.decodeUnknownSync(Schema.parseJson(Recording))(
    readFileSync(fileURLToPath(new URL(`../../recorded/${name}.json`, import.meta.url)), "utf8")
  )

export const scVal = (text: string): xdr.ScVal => xdr.ScVal.fromXdr(text, "base64")
