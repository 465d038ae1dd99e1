import { xdr } from "@stellar/stellar-sdk"
import { ParseResult, Schema } from "effect"

const xdrText = <A extends xdr.XdrValue>(
  name: string,
  decode: (text: string) => A,
  is: (value: unknown) => value is A
): Schema.Schema<A, string> =>
  Schema.transformOrFail(Schema.String, Schema.declare(is), {
    strict: true,
    decode: (text, _, ast) =>
      ParseResult.try({ try: () => decode(text), catch: () => new ParseResult.Type(ast, text, `base64 of a ${name}`) }),
    encode: (value) => ParseResult.succeed(value.toXdr("base64"))
  })

// XDR values as sources write them: base64, whole, nothing behind it.

export const LedgerHeaderText = xdrText(
  "LedgerHeader",
  (text) => xdr.LedgerHeader.fromXdr(text, "base64"),
  (value) => value instanceof xdr.LedgerHeader
)

export const LedgerEntryDataText = xdrText("LedgerEntryData", (text) => xdr.LedgerEntryData.fromXdr(text, "base64"), xdr.LedgerEntryData.is)

export const LedgerEntryExtText = xdrText("LedgerEntryExt", (text) => xdr.LedgerEntryExt.fromXdr(text, "base64"), xdr.LedgerEntryExt.is)

export const TransactionResultText = xdrText(
  "TransactionResult",
  (text) => xdr.TransactionResult.fromXdr(text, "base64"),
  (value) => value instanceof xdr.TransactionResult
)

export const TransactionEnvelopeText = xdrText(
  "TransactionEnvelope",
  (text) => xdr.TransactionEnvelope.fromXdr(text, "base64"),
  xdr.TransactionEnvelope.is
)

export const LedgerEntryText = xdrText(
  "LedgerEntry",
  (text) => xdr.LedgerEntry.fromXdr(text, "base64"),
  (value) => value instanceof xdr.LedgerEntry
)

export const LedgerKeyText = xdrText("LedgerKey", (text) => xdr.LedgerKey.fromXdr(text, "base64"), xdr.LedgerKey.is)

export const ScValText = xdrText("ScVal", (text) => xdr.ScVal.fromXdr(text, "base64"), xdr.ScVal.is)

export const SorobanTransactionDataText = xdrText(
  "SorobanTransactionData",
  (text) => xdr.SorobanTransactionData.fromXdr(text, "base64"),
  (value) => value instanceof xdr.SorobanTransactionData
)

export const SorobanAuthorizationEntryText = xdrText(
  "SorobanAuthorizationEntry",
  (text) => xdr.SorobanAuthorizationEntry.fromXdr(text, "base64"),
  (value) => value instanceof xdr.SorobanAuthorizationEntry
)
