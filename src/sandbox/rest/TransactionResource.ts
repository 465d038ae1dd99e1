import { SignerKey, StrKey, type xdr } from "@stellar/stellar-sdk"
import type { TransactionRecord } from "../network/LedgerRecord.ts"
import { totalOrderId } from "../network/LedgerRecord.ts"
import { textsOf } from "../network/RecordTexts.ts"
import { showTime } from "../ShowTime.ts"

/** Paging token of a transaction: its total order id. */
export const transactionToken = (record: TransactionRecord): bigint => totalOrderId(record.ledger, record.applicationOrder)

const memoFields = (memo: xdr.Memo) => {
  switch (memo.type) {
    case "memoNone":
      return { memo_type: "none" }
    case "memoText":
      return {
        memo_type: "text",
        memo: memo.text.toString(),
        memo_bytes: Buffer.from(memo.text.bytes).toString("base64")
      }
    case "memoId":
      return { memo_type: "id", memo: memo.id.toString() }
    case "memoHash":
      return { memo_type: "hash", memo: Buffer.from(memo.hash.toBytes()).toString("base64") }
    case "memoReturn":
      return { memo_type: "return", memo: Buffer.from(memo.retHash.toBytes()).toString("base64") }
  }
}

const timebounds = (bounds: xdr.TimeBounds | null) =>
  bounds === null
    ? {}
    : { timebounds: { min_time: bounds.minTime.toString(), ...(bounds.maxTime === 0n ? {} : { max_time: bounds.maxTime.toString() }) } }

const preconditions = (condition: xdr.Preconditions) => {
  switch (condition.type) {
    case "precondNone":
      return {}
    case "precondTime":
      return { preconditions: timebounds(condition.timeBounds) }
    case "precondV2": {
      const { extraSigners, ledgerBounds, minSeqAge, minSeqLedgerGap, minSeqNum, timeBounds } = condition.v2
      return {
        preconditions: {
          ...timebounds(timeBounds),
          ...(ledgerBounds === null
            ? {}
            : { ledgerbounds: { min_ledger: ledgerBounds.minLedger, max_ledger: ledgerBounds.maxLedger } }),
          ...(minSeqNum === null ? {} : { min_account_sequence: minSeqNum.toString() }),
          ...(minSeqAge === 0n ? {} : { min_account_sequence_age: minSeqAge.toString() }),
          ...(minSeqLedgerGap === 0 ? {} : { min_account_sequence_ledger_gap: minSeqLedgerGap }),
          ...(extraSigners.length === 0 ? {} : { extra_signers: extraSigners.map((key) => SignerKey.encodeSignerKey(key)) })
        }
      }
    }
  }
}

const accountFields = (name: string, account: xdr.MuxedAccount, plain: string) =>
  account.type === "keyTypeEd25519"
    ? { [name]: plain }
    : {
      [name]: plain,
      [`${name}_muxed`]: StrKey.encodeMed25519PublicKey(
        Buffer.concat([account.med25519.ed25519.toBytes(), bigEndian(account.med25519.id)])
      ),
      [`${name}_muxed_id`]: account.med25519.id.toString()
    }

const bigEndian = (id: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(id)
  return bytes
}

const base64s = (signatures: ReadonlyArray<xdr.DecoratedSignature>): ReadonlyArray<string> =>
  signatures.map(({ signature }) => Buffer.from(signature.toBytes()).toString("base64"))

/** A transaction in a ledger, applied or failed, under the hash in the request. A fee bump has two hashes. */
export const transactionResource = (record: TransactionRecord, hash: string, origin: string) => {
  const { applied, facts, ledger, successful } = record
  const { transaction } = facts
  const texts = textsOf(record)
  const token = transactionToken(record).toString()
  const self = `${origin}/transactions/${hash}`
  const bump = facts.envelope.type === "envelopeTypeTxFeeBump" ? facts.envelope.feeBump : undefined
  return {
    _links: {
      self: { href: self },
      account: { href: `${origin}/accounts/${facts.source}` },
      ledger: { href: `${origin}/ledgers/${ledger}` },
      precedes: { href: `${origin}/transactions?order=asc&cursor=${token}` },
      succeeds: { href: `${origin}/transactions?order=desc&cursor=${token}` },
      transaction: { href: self }
    },
    id: hash,
    paging_token: token,
    successful,
    hash,
    ledger,
    created_at: showTime(record.closeTime),
    ...accountFields("source_account", transaction.sourceAccount, facts.source),
    source_account_sequence: transaction.seqNum.toString(),
    ...accountFields("fee_account", bump?.tx.feeSource ?? transaction.sourceAccount, facts.feeSource),
    fee_charged: applied.feeCharged.toString(),
    max_fee: facts.feeBid.toString(),
    operation_count: transaction.operations.length,
    envelope_xdr: texts.envelope,
    result_xdr: texts.result,
    result_meta_xdr: texts.meta,
    fee_meta_xdr: texts.feeMeta,
    ...memoFields(transaction.memo),
    signatures: base64s(hash === facts.innerHash ? facts.innerSignatures : facts.signatures),
    ...preconditions(transaction.cond),
    ...(facts.innerHash === null
      ? {}
      : {
        fee_bump_transaction: { hash: facts.hash, signatures: base64s(facts.signatures) },
        inner_transaction: {
          hash: facts.innerHash,
          signatures: base64s(facts.innerSignatures),
          max_fee: transaction.fee.toString()
        }
      })
  }
}
