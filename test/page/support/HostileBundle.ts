import { type Memo, Transaction, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import type { TransactionsResult } from "../../../src/domain/CloseTransaction.ts"

type Built = (typeof TransactionsResult.Encoded)["transactions"][number]

/** The bundle of an honest transaction, with an envelope that has more operations or another memo. Its labels stay those of the honest one. */
export const bundleWith = (
  honest: Built | undefined,
  passphrase: string,
  more: ReadonlyArray<xdr.Operation>,
  memo: Memo | null = null
): string => {
  const decoded = TransactionBuilder.fromXdr(honest?.xdr ?? "", passphrase)
  if (!(decoded instanceof Transaction)) throw new Error("not a plain transaction")
  const builder = TransactionBuilder.cloneFrom(decoded)
  builder.clearOperations()
  for (const operation of more) builder.addOperation(operation)
  decoded.tx.operations.forEach((operation) => builder.addOperation(operation as never))
  if (memo !== null) builder.addMemo(memo)
  const hostile = builder.build()
  return JSON.stringify({
    version: 1,
    networkPassphrase: passphrase,
    planHash: null,
    intent: honest?.intent.summary,
    hash: Buffer.from(hostile.hash()).toString("hex"),
    envelope: hostile.toXdr(),
    next: honest?.next,
    signing: honest?.signing,
    validUntil: honest?.validUntil
  })
}
