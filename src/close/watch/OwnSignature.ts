import { StrKey } from "@stellar/stellar-sdk"
import type { ReportedSignatures, TransactionRecord, UnreadableRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { verifyEd25519 } from "../../ledger/Signatures.ts"
import { innermost, readTransaction } from "../../ledger/Transaction.ts"

/** The signatures of a transaction, and of the one inside a fee bump; null where they are not reported. */
const signaturesOf = (record: TransactionRecord | UnreadableRecord, passphrase: string): ReadonlyArray<ReportedSignatures> | null => {
  if (record.envelope === null) return record.signed
  const read = readTransaction(record.envelope, passphrase)
  return [read, innermost(read)].map(({ hash, signatures }) => ({
    hash,
    signatures: signatures.map(({ signature }) => signature.toBytes())
  }))
}

/** Whether an account's own key signed a transaction, or may have because its signatures are not reported. Contract calls inside do not count. */
export const mayBeSignedBy = (account: AccountAddress, record: TransactionRecord | UnreadableRecord, passphrase: string): boolean => {
  const signed = signaturesOf(record, passphrase)
  const key = StrKey.decodeEd25519PublicKey(account)
  return signed === null || signed.some(({ hash, signatures }) => signatures.some((one) => verifyEd25519(key, hash, one)))
}
