import { StrKey } from "@stellar/stellar-sdk"
import type { ReportedSignatures, TransactionRecord, UnreadableRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { verifyEd25519 } from "../../ledger/Signatures.ts"
import { type AnyTransaction, innermost, readTransaction } from "../../ledger/Transaction.ts"

const reported = ({ hash, signatures }: AnyTransaction): ReportedSignatures => ({
  hash,
  signatures: signatures.map(({ signature }) => signature.toBytes())
})

/** The signatures of a transaction, and of the one inside a fee bump; null where they are not reported. */
const signaturesOf = (record: TransactionRecord | UnreadableRecord, passphrase: string): ReadonlyArray<ReportedSignatures> | null => {
  if (record.envelope === null) return record.signed
  const read = readTransaction(record.envelope, passphrase)
  return [read, innermost(read)].map(reported)
}

const verifies = (account: AccountAddress, { hash, signatures }: ReportedSignatures): boolean => {
  const key = StrKey.decodeEd25519PublicKey(account)
  return signatures.some((one) => verifyEd25519(key, hash, one))
}

/** Whether an account's own key signed this envelope. One inside it, and contract calls, do not count. */
export const isSignedBy = (account: AccountAddress, transaction: AnyTransaction): boolean => verifies(account, reported(transaction))

/** Whether an account's own key signed a transaction, or may have because its signatures are not reported. Contract calls inside do not count. */
export const mayBeSignedBy = (account: AccountAddress, record: TransactionRecord | UnreadableRecord, passphrase: string): boolean => {
  const signed = signaturesOf(record, passphrase)
  return signed === null || signed.some((one) => verifies(account, one))
}
