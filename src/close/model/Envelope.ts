import { Account, Memo as SdkMemo, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import type { Memo } from "../../domain/Memo.ts"
import { build, type Operation } from "../../operations/Operations.ts"

/** Everything an unsigned classic transaction consists of. */
export interface EnvelopeParts {
  readonly source: AccountAddress
  /** The sequence number the account has now; the transaction takes the next one. */
  readonly currentSequence: bigint
  readonly operations: ReadonlyArray<Operation>
  /** Stroops each operation offers; 0 when somebody else wraps the transaction in a fee bump. */
  readonly feePerOperation: bigint
  readonly memo: Memo | null
  /** Unix seconds after which it is refused. */
  readonly maxTime: bigint
  /** The first ledger that refuses it. */
  readonly maxLedger: number
  readonly passphrase: string
}

/** A memo as the SDK has it. */
export const toSdkMemo = (memo: Memo | null): SdkMemo => {
  switch (memo?.type) {
    case undefined:
      return SdkMemo.none()
    case "text":
      return SdkMemo.text(memo.value)
    case "id":
      return SdkMemo.id(memo.value)
    case "hash":
      return SdkMemo.hash(memo.value)
    case "return":
      return SdkMemo.return(memo.value)
  }
}

/** The unsigned envelope: plain time and ledger bounds, no other precondition. */
export const envelopeOf = (parts: EnvelopeParts): xdr.TransactionEnvelope => {
  const account = new Account(parts.source, parts.currentSequence.toString())
  const builder = new TransactionBuilder(account, {
    fee: parts.feePerOperation.toString(),
    networkPassphrase: parts.passphrase,
    memo: toSdkMemo(parts.memo)
  })
  for (const operation of parts.operations) builder.addOperation(build(operation))
  return builder.setTimebounds(0, Number(parts.maxTime)).setLedgerbounds(0, parts.maxLedger).build().toEnvelope()
}
