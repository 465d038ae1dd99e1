import type { xdr } from "@stellar/stellar-sdk"
import { Effect, type ParseResult, Schema } from "effect"
import { NewerXdr } from "./KnownXdr.ts"
import { TransactionEnvelopeText, TransactionResultText } from "./XdrText.ts"

/** A transaction and its result. */
export interface DecodedTransaction {
  /** Null: it has an unknown arm. */
  readonly envelope: xdr.TransactionEnvelope | null
  /** The same. */
  readonly result: xdr.TransactionResult | null
}

const envelopeIn = Schema.decode(TransactionEnvelopeText)
const resultIn = Schema.decode(TransactionResultText)

const known = <A extends object>(value: A | NewerXdr): A | null => (value instanceof NewerXdr ? null : value)

/** Decodes an envelope and its result, both base64. Fails where one of them is no such XDR. */
export const decodeTransaction = (envelope: string, result: string): Effect.Effect<DecodedTransaction, ParseResult.ParseError> =>
  Effect.map(
    Effect.all([envelopeIn(envelope), resultIn(result)]),
    ([readEnvelope, readResult]) => ({ envelope: known(readEnvelope), result: known(readResult) })
  )
