import * as xdr from "@stellar/stellar-sdk/xdr"
import { memoProblem } from "../domain/MemoProblem.ts"
import { type Breach, breach } from "../operations/Around.ts"
import type { Expected } from "../operations/Expected.ts"
import { bytesOfHex } from "../xdr/ByteText.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"

/** A memo as the ledger has it; null for one that it does not take. */
export const memoXdr = (memo: Expected["memo"]): xdr.Memo | null => {
  if (memo === null) return xdr.Memo.memoNone()
  if (memoProblem(memo) !== null) return null
  switch (memo.type) {
    case "text":
      return xdr.Memo.memoText(memo.value)
    case "id":
      return xdr.Memo.memoId(BigInt(memo.value))
    case "hash":
      return xdr.Memo.memoHash(bytesOfHex(memo.value))
    case "return":
      return xdr.Memo.memoReturn(bytesOfHex(memo.value))
  }
}

/** The memo is for the account that the merge pays: it stands in that transaction, exactly as it was given, and in no other. */
export const memoBreaches = ({ memo: found, operations }: xdr.Transaction, { memo }: Pick<Expected, "memo">): ReadonlyArray<Breach> => {
  const merges = operations.some(({ body }) => body.type === "accountMerge")
  const wanted = memoXdr(merges ? memo : null)
  return wanted !== null && xdrBase64(wanted) === xdrBase64(found)
    ? []
    : breach(
      "memo",
      merges ? "The memo of the merge is not the one that you gave." : "A memo stands in a transaction without the merge."
    )
}
