import { xdr } from "@stellar/stellar-sdk"
import { flow, identity, Option, type Schema } from "effect"
import { writtenAsText } from "../../domain/Leaf.ts"
import { textMemo } from "../../fibers/TextMemo.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { NewerXdr, type Readable, readOrNewer, readValue } from "./KnownXdr.ts"

/** A class of the SDK that is read from XDR. */
interface ReadableText<A> extends Readable<A> {
  fromXdr(input: Uint8Array): A
  fromXdr(input: string, format: "base64"): A
}

/**
 * Node reads base64 many times quicker than the SDK does, and takes anything: what it read has to be written the same way. Any other text
 * is left to the SDK.
 */
const read = <A, B>(type: ReadableText<A>, text: string, ofBytes: (bytes: Buffer) => B): A | B => {
  const bytes = Buffer.from(text, "base64")
  return bytes.toString("base64") === text ? ofBytes(bytes) : type.fromXdr(text, "base64")
}

/** The longest text that is kept, enough for accounts, lines, offers and small records of contracts, and how many at least. */
const [longest, most] = [500, 2_000]

/** Values never change, and sources write the same ones again and again: short texts that were read lately are not read again. */
const readAgain = <A>(reading: (text: string) => A): (text: string) => A => {
  const known = textMemo(most, reading)
  return (text) => (text.length > longest ? reading(text) : known(text))
}

const xdrText = <A extends object>(
  name: string,
  is: (value: unknown) => value is A,
  { read, write }: { readonly read: (text: string) => A; readonly write: (value: A) => string }
): Schema.Schema<A, string> =>
  writtenAsText({ is, read: flow(Option.liftThrowable(read), Option.getOrNull), write }, { expected: `base64 of a ${name}` })

/** One with an unknown arm is `NewerXdr`: what that costs is for the answer to say that it stands in. */
const orNewer = <A extends xdr.XdrValue>(
  name: string,
  type: ReadableText<NoInfer<A>>,
  is: (value: unknown) => value is A,
  readings: (reading: (text: string) => A | NewerXdr) => (text: string) => A | NewerXdr = identity
): Schema.Schema<A | NewerXdr, string> =>
  xdrText(name, (value): value is A | NewerXdr => value instanceof NewerXdr || is(value), {
    read: readings((text) => read(type, text, (bytes) => readOrNewer<A>(type, bytes))),
    write: (value) => (value instanceof NewerXdr ? "" : xdrBase64(value))
  })

// XDR values as sources write them: base64, whole, nothing behind it.

export const LedgerEntryDataText = orNewer("LedgerEntryData", xdr.LedgerEntryData, xdr.LedgerEntryData.is, readAgain)

export const LedgerEntryExtText = orNewer("LedgerEntryExt", xdr.LedgerEntryExt, xdr.LedgerEntryExt.is, readAgain)

export const TransactionResultText = orNewer(
  "TransactionResult",
  xdr.TransactionResult,
  (value) => value instanceof xdr.TransactionResult
)

export const TransactionEnvelopeText = orNewer(
  "TransactionEnvelope",
  xdr.TransactionEnvelope,
  xdr.TransactionEnvelope.is
)

export const TransactionMetaText = orNewer("TransactionMeta", xdr.TransactionMeta, xdr.TransactionMeta.is)

export const LedgerEntryText = orNewer(
  "LedgerEntry",
  xdr.LedgerEntry,
  (value) => value instanceof xdr.LedgerEntry
)

export const LedgerKeyText = orNewer("LedgerKey", xdr.LedgerKey, xdr.LedgerKey.is)

/** One with an unknown arm is an error value (`KnownXdr.ts`). */
export const ScValText = xdrText<xdr.ScVal>("ScVal", xdr.ScVal.is, {
  read: (text) => read<xdr.ScVal, xdr.ScVal>(xdr.ScVal, text, readValue),
  write: xdrBase64
})

export const SorobanTransactionDataText = orNewer(
  "SorobanTransactionData",
  xdr.SorobanTransactionData,
  (value) => value instanceof xdr.SorobanTransactionData
)

export const SorobanAuthorizationEntryText = orNewer(
  "SorobanAuthorizationEntry",
  xdr.SorobanAuthorizationEntry,
  (value) => value instanceof xdr.SorobanAuthorizationEntry
)
