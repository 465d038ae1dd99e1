import { Account, type Keypair, Memo, Operation, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { versionZero } from "../../ledger/support/VersionZero.ts"
import type { Offered } from "./Client.ts"
import { accountOf } from "./LedgerView.ts"
import { Service } from "./Service.ts"
import { decoded } from "./Signing.ts"

/** Wraps a signed transaction in a fee bump that another account pays and signs; base64. */
export const feeBumped = (offered: Pick<Offered, "xdr">, signers: ReadonlyArray<Keypair>, payer: Keypair, baseFee = "200") =>
  Effect.gen(function*() {
    const { passphrase } = yield* Service
    const inner = yield* decoded(offered)
    inner.sign(...signers)
    const bump = TransactionBuilder.buildFeeBumpTransaction(payer, baseFee, inner, passphrase)
    bump.sign(payer)
    return bump.toXdr()
  })

interface Merging {
  readonly memo?: Memo
  /** Operations before the merge. */
  readonly before?: ReadonlyArray<xdr.Operation>
}

/** A signed merge into an address, as a caller may build it without the service; base64. */
export const merging = (source: Keypair, destination: string, { before = [], memo = Memo.none() }: Merging = {}) =>
  Effect.gen(function*() {
    const { passphrase } = yield* Service
    const sequence = (yield* accountOf(source))?.seqNum ?? 0n
    const builder = new TransactionBuilder(new Account(source.publicKey(), sequence.toString()), {
      fee: "100",
      networkPassphrase: passphrase,
      memo
    })
    for (const operation of [...before, Operation.accountMerge({ destination })]) builder.addOperation(operation)
    const transaction = builder.setTimeout(300).build()
    transaction.sign(source)
    return transaction.toXdr()
  })

/** The envelope in the form of version 0, which the service never returns. */
export const asVersionZero = (base64: string): string => {
  const envelope = xdr.TransactionEnvelope.fromXdr(base64, "base64")
  if (envelope.type !== "envelopeTypeTx") throw new Error("no plain envelope")
  const { tx } = envelope.v1
  const timeBounds = tx.cond.type === "precondV2" ? tx.cond.v2.timeBounds : null
  return versionZero(tx, { timeBounds, signatures: [] }).toXdr("base64")
}
