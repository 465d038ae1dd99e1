import type { xdr } from "@stellar/stellar-sdk"
import type { RegistryEntry } from "../../domain/ExchangeRegistry.ts"
import { showsNothing } from "../../domain/Memo.ts"

const memoTypes = { memoNone: "none", memoText: "text", memoId: "id", memoHash: "hash", memoReturn: "return" } as const

const isBlank = (memo: xdr.Memo): boolean => memo.type === "memoText" && showsNothing(memo.text.toString())

/** Whether a memo is what an exchange credits by: of its type, and not one that shows nothing. */
export const carriesMemo = (memo: xdr.Memo, listing: RegistryEntry): boolean =>
  !listing.requiresMemo || (memoTypes[memo.type] === listing.memoType && !isBlank(memo))
