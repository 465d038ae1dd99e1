import { xdr } from "@stellar/stellar-sdk"
import { flow, Option, type Schema } from "effect"
import { writtenAsText } from "../domain/Leaf.ts"
import { remembered } from "../domain/Remembered.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"
import { type Readable, readEntryData, readKnown, readValue } from "./KnownXdr.ts"

/** A class of the SDK that is read from XDR. */
interface ReadableText<A> extends Readable<A> {
  fromXdr(input: Uint8Array): A
  fromXdr(input: string, format: "base64"): A
}

/**
 * Node reads base64 many times quicker than the SDK does, and takes anything: what it read has to be written the same way. Whatever else
 * the SDK admits is left to the SDK.
 */
const read = <A>(
  type: ReadableText<A>,
  text: string,
  ofBytes: (bytes: Buffer) => A = (bytes) => readKnown(type, bytes)
): A => {
  const bytes = Buffer.from(text, "base64")
  return bytes.toString("base64") === text ? ofBytes(bytes) : type.fromXdr(text, "base64")
}

/** The longest text that is kept, enough for accounts, lines, offers and small records of contracts, and how many at least. */
const [longest, most] = [500, 2_000]

/** Values never change, and sources write the same ones again and again: short texts that were read lately are not read again. */
const readAgain = <A>(reading: (text: string) => A): (text: string) => A => {
  const known = remembered(most, reading)
  return (text) => (text.length > longest ? reading(text) : known(text))
}

const xdrText = <A extends xdr.XdrValue>(
  name: string,
  type: ReadableText<NoInfer<A>>,
  is: (value: unknown) => value is A,
  reading: (text: string) => NoInfer<A> = (text) => read(type, text)
): Schema.Schema<A, string> =>
  writtenAsText({ is, read: flow(Option.liftThrowable(reading), Option.getOrNull), write: xdrBase64 }, { expected: `base64 of a ${name}` })

// XDR values as sources write them: base64, whole, nothing behind it.

export const LedgerEntryDataText = xdrText(
  "LedgerEntryData",
  xdr.LedgerEntryData,
  xdr.LedgerEntryData.is,
  readAgain((text) => read<xdr.LedgerEntryData>(xdr.LedgerEntryData, text, readEntryData))
)

export const LedgerEntryExtText = xdrText(
  "LedgerEntryExt",
  xdr.LedgerEntryExt,
  xdr.LedgerEntryExt.is,
  readAgain((text) => read<xdr.LedgerEntryExt>(xdr.LedgerEntryExt, text))
)

export const TransactionResultText = xdrText(
  "TransactionResult",
  xdr.TransactionResult,
  (value) => value instanceof xdr.TransactionResult
)

export const TransactionEnvelopeText = xdrText(
  "TransactionEnvelope",
  xdr.TransactionEnvelope,
  xdr.TransactionEnvelope.is
)

export const LedgerEntryText = xdrText(
  "LedgerEntry",
  xdr.LedgerEntry,
  (value) => value instanceof xdr.LedgerEntry
)

export const LedgerKeyText = xdrText("LedgerKey", xdr.LedgerKey, xdr.LedgerKey.is)

/** One with an arm that nobody knows is an error value (`KnownXdr.ts`). */
export const ScValText = xdrText("ScVal", xdr.ScVal, xdr.ScVal.is, (text) => read<xdr.ScVal>(xdr.ScVal, text, readValue))

export const SorobanTransactionDataText = xdrText(
  "SorobanTransactionData",
  xdr.SorobanTransactionData,
  (value) => value instanceof xdr.SorobanTransactionData
)

export const SorobanAuthorizationEntryText = xdrText(
  "SorobanAuthorizationEntry",
  xdr.SorobanAuthorizationEntry,
  (value) => value instanceof xdr.SorobanAuthorizationEntry
)
