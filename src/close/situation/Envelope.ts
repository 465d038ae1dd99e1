import { Memo as SdkMemo, xdr } from "@stellar/stellar-sdk"
import type { Memo } from "../../domain/Memo.ts"
import { build, type Operation } from "../../operations/Operations.ts"
import { unsignedEnvelope, type UnsignedParts } from "./UnsignedEnvelope.ts"

/** Everything an unsigned classic transaction consists of. */
export interface EnvelopeParts extends UnsignedParts {
  readonly operations: ReadonlyArray<Operation>
  /** Stroops each operation offers; 0 when somebody else wraps the transaction in a fee bump. */
  readonly feePerOperation: bigint
  readonly memo: Memo | null
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

/** What a transaction offers at most: its fee is an unsigned number of 32 bits. */
const mostFee = 0xffffffffn

/**
 * The unsigned envelope. Made of its parts and not by the SDK's builder, which reads every operation back into its own terms: a large plan
 * makes thousands of envelopes. Throws where the fee is more than the ledger can name.
 */
export const envelopeOf = (parts: EnvelopeParts): xdr.TransactionEnvelope => {
  const fee = parts.feePerOperation * BigInt(parts.operations.length)
  if (fee < 0n || fee > mostFee) throw new RangeError(`no transaction can offer ${fee} stroops`)
  return unsignedEnvelope(parts, {
    fee,
    memo: toSdkMemo(parts.memo).toXdrObject(),
    operations: parts.operations.map(build),
    ext: xdr.TransactionExt.v0()
  })
}
