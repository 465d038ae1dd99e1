import { hash } from "@stellar/stellar-sdk"
import * as xdr from "@stellar/stellar-sdk/xdr"
import type { Breach } from "../operations/Around.ts"
import { hexOf } from "../xdr/ByteText.ts"
import { xdrBase64, xdrBytes } from "../xdr/XdrBytes.ts"

/** The transaction of an envelope, or why it is not one that can be signed as it is. */
export type Opened = { readonly _tag: "Opened"; readonly tx: xdr.Transaction } | { readonly _tag: "Closed"; readonly breach: Breach }

const closed = (rule: Breach["rule"], message: string): Opened => ({ _tag: "Closed", breach: { rule, message } })

const decoded = (text: string): xdr.TransactionEnvelope | null => {
  try {
    const envelope = xdr.TransactionEnvelope.fromXdr(text, "base64")
    // A signer's wallet could read a text that is not canonical in another way.
    return xdrBase64(envelope) === text ? envelope : null
  } catch {
    return null
  }
}

/** Opens an envelope. Signatures that it carries already do not change what it does, and are not looked at. */
export const openEnvelope = (text: string): Opened => {
  const envelope = decoded(text)
  switch (envelope?.type) {
    case undefined:
      return closed("undecodable", "The text is no transaction as the ledger writes it.")
    case "envelopeTypeTxFeeBump":
      return closed("fee_bump", "The transaction is wrapped in a fee bump. Sign the transaction inside, and wrap it yourself.")
    case "envelopeTypeTxV0":
      return closed("undecodable", "The transaction is of an old form, which a close never has.")
    case "envelopeTypeTx":
      return { _tag: "Opened", tx: envelope.v1.tx }
  }
}

const encoder = new TextEncoder()

/** What is signed: the hash of a transaction on one network, hex. */
export const hashOf = (tx: xdr.Transaction, networkPassphrase: string): string =>
  hexOf(hash(xdrBytes(
    new xdr.TransactionSignaturePayload({
      networkId: hash(encoder.encode(networkPassphrase)),
      taggedTransaction: xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(tx)
    })
  )))
