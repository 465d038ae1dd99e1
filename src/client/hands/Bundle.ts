import { TransactionBuilder } from "@stellar/stellar-sdk/base"
import { Data, Either, Schema } from "effect"
import { warning, WarningCode } from "../../domain/Blocker.ts"
import { NextAction } from "../../domain/CloseTransaction.ts"
import { optional } from "../../domain/OptionalField.ts"
import { warningHelp } from "../../domain/WarningHelp.ts"
import { hashOf, signaturesOf } from "../Envelope.ts"
import type { BuildWarnings, OfferedTransaction } from "../SigningRequest.ts"

/** A bundle that is none, or whose parts do not fit together. */
export class InvalidBundle extends Data.TaggedError("InvalidBundle")<{ readonly reason: string }> {
  override get message() {
    return `The bundle cannot be used: ${this.reason}`
  }
}

const SigningRow = Schema.Struct({
  account: Schema.String,
  level: Schema.Literal("low", "med", "high"),
  requiredWeight: Schema.Int,
  availableWeight: Schema.Int,
  signers: Schema.Array(Schema.Struct({ key: Schema.String, weight: Schema.Int, type: Schema.String }))
})

/**
 * A transaction on its way from hand to hand. It is untrusted: all but the envelope are labels, and nothing of it is an input of the verifier.
 * The signatures so far are in the envelope.
 */
export const Bundle = Schema.Struct({
  version: Schema.Literal(1),
  networkPassphrase: Schema.String,
  /** Of the plan that the transaction was built by. */
  planHash: Schema.NullOr(Schema.String),
  /** What the transaction is meant to do, in the service's words. */
  intent: Schema.String,
  hash: Schema.String,
  envelope: Schema.String,
  next: Schema.Array(NextAction),
  signing: Schema.Array(SigningRow),
  validUntil: Schema.String,
  /** What the build warned of, by code alone: signers are shown no words of a bundle. Bundles of older versions have none, newer ones may have more. */
  warnings: optional(Schema.Array(Schema.String))
})
export type Bundle = typeof Bundle.Type

/** The longest bundle that is read, in characters. A transaction of a hundred operations has a tenth of it. */
const longest = 200_000

const decode = Schema.decodeUnknownEither(Schema.parseJson(Bundle))

const decodedIn = ({ envelope, networkPassphrase }: Bundle) => {
  try {
    return TransactionBuilder.fromXdr(envelope, networkPassphrase)
  } catch {
    throw new InvalidBundle({ reason: "its envelope does not decode" })
  }
}

/** Reads a bundle. Throws `InvalidBundle` where it is none, or where its hash is not that of its envelope. */
export const readBundle = (text: string): Bundle => {
  if (text.length > longest) throw new InvalidBundle({ reason: "it is too long" })
  const read = decode(text)
  if (Either.isLeft(read)) throw new InvalidBundle({ reason: read.left.message.slice(0, 500) })
  if (hashOf(decodedIn(read.right)) !== read.right.hash) throw new InvalidBundle({ reason: "its hash is not that of its envelope" })
  return read.right
}

export const writeBundle = (bundle: Bundle): string => JSON.stringify(bundle)

const isWarningCode = Schema.is(WarningCode)

/** Warnings of a build as a bundle carries them. */
export const warningCodes = (warnings: BuildWarnings): ReadonlyArray<string> => [...new Set(warnings.flatMap(({ code }) => code ?? []))]

/** What the maker of a bundle says that the build warned of, in this version's words. Nothing proves it, or that nothing is left out. */
export const claimedWarnings = ({ warnings = [] }: Bundle): BuildWarnings =>
  [...new Set(warnings.filter(isWarningCode))].map((code) => warning(code, `The maker of the bundle warns: ${warningHelp[code].cause}`))

/** A bundle of a transaction that the service built with these warnings. */
export const bundleOf = (transaction: OfferedTransaction, planHash: string | null, warnings: BuildWarnings = []): Bundle => ({
  version: 1,
  networkPassphrase: transaction.networkPassphrase,
  planHash,
  intent: transaction.intent.summary,
  hash: transaction.hash,
  envelope: transaction.xdr,
  next: transaction.next,
  signing: transaction.signing,
  validUntil: transaction.validUntil,
  warnings: warningCodes(warnings)
})

/**
 * Bundles of one transaction that were signed side by side, as one with all their signatures and warnings. Throws `InvalidBundle` where they are
 * of several.
 */
export const mergeBundles = (first: Bundle, ...others: ReadonlyArray<Bundle>): Bundle => {
  const merged = decodedIn(first)
  const known = new Set(signaturesOf(merged))
  for (const other of others) {
    const decoded = decodedIn(other)
    if (hashOf(decoded) !== hashOf(merged)) throw new InvalidBundle({ reason: "it is of another transaction" })
    decoded.signatures.forEach((signature, index) => {
      const text = signaturesOf(decoded)[index] ?? ""
      if (known.has(text)) return
      known.add(text)
      merged.signatures.push(signature)
    })
  }
  return { ...first, envelope: merged.toXdr(), warnings: [...new Set([first, ...others].flatMap((one) => one.warnings ?? []))] }
}
