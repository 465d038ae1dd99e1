import type { Memo } from "./Memo.ts"

/** Half of a pair of UTF-16: no UTF-8 is made of it. */
const loneSurrogate = /\p{Surrogate}/u

const maxId = 18446744073709551615n

/** What is wrong with a memo, or null when the ledger accepts it. */
export const memoProblem = (memo: Memo): string | null => {
  switch (memo.type) {
    case "text":
      if (loneSurrogate.test(memo.value)) return "A text memo is whole characters: half of a surrogate pair has no UTF-8."
      return new TextEncoder().encode(memo.value).length <= 28 ? null : "A text memo holds at most 28 bytes of UTF-8."
    case "id":
      return /^(0|[1-9][0-9]{0,19})$/.test(memo.value) && BigInt(memo.value) <= maxId
        ? null
        : "An id memo is an integer from 0 to 18446744073709551615."
    case "hash":
    case "return":
      return /^[0-9a-fA-F]{64}$/.test(memo.value) ? null : `A ${memo.type} memo is 32 bytes, written as 64 hex characters.`
  }
}
