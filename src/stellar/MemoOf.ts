import type { xdr } from "@stellar/stellar-sdk"
import type { Memo } from "../domain/Memo.ts"
import { hexOf } from "../xdr/ByteText.ts"

/** The memo that an envelope carries; null for none. */
export const memoOf = (memo: xdr.Memo): Memo | null => {
  switch (memo.type) {
    case "memoNone":
      return null
    case "memoText":
      return { type: "text", value: memo.text.toString() }
    case "memoId":
      return { type: "id", value: memo.id.toString() }
    case "memoHash":
      return { type: "hash", value: hexOf(memo.hash.toBytes()) }
    case "memoReturn":
      return { type: "return", value: hexOf(memo.retHash.toBytes()) }
  }
}
