import { Account, Transaction, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"

/** The operations of an envelope: as the SDK reads them, and as they stand there. */
export interface Built {
  readonly decoded: Transaction["operations"]
  readonly operations: ReadonlyArray<xdr.Operation>
}

/** A built transaction with other operations in its envelope, and the hash that fits; null for an envelope of another kind. */
export const forged = (
  built: Record<string, unknown>,
  passphrase: string,
  change: (built: Built) => ReadonlyArray<xdr.Operation>
): Record<string, unknown> | null => {
  const decoded = TransactionBuilder.fromXdr(String(built["xdr"]), passphrase)
  if (!(decoded instanceof Transaction)) return null
  const envelope = decoded.toEnvelope()
  if (envelope.type !== "envelopeTypeTx") return null
  const builder = new TransactionBuilder(new Account(decoded.source, (BigInt(decoded.sequence) - 1n).toString()), {
    fee: "100",
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: Number(decoded.timeBounds?.maxTime) },
    ...(decoded.ledgerBounds === undefined ? {} : { ledgerbounds: decoded.ledgerBounds })
  })
  for (const operation of change({ decoded: decoded.operations, operations: envelope.v1.tx.operations })) builder.addOperation(operation)
  const rebuilt = builder.build()
  return { ...built, xdr: rebuilt.toXdr(), hash: Buffer.from(rebuilt.hash()).toString("hex") }
}
