import type { xdr } from "@stellar/stellar-sdk"
import { type Getter, getterText } from "../../chain/Getter.ts"
import { keyText } from "../../xdr/LedgerKeys.ts"

/** A getter called at two origins, because no file lists the code that answers. It fails if either call fails. */
export interface TwoOriginGetter extends Getter {
  /** What the values of both say together. */
  readonly larger: (one: xdr.ScVal, other: xdr.ScVal) => xdr.ScVal
}

/** A getter of code that anyone may have written, and that may never answer. All such getters of a request share one time budget. */
export interface UntrustedGetter extends Getter {
  readonly untrusted: true
}

/** What a decoder reads from the ledger: an entry, or the answer of a contract's getter. */
export type Question = xdr.LedgerKey | Getter | TwoOriginGetter | UntrustedGetter

export const isGetter = (question: Question): question is Getter | TwoOriginGetter | UntrustedGetter => "function" in question

export const isTwoOriginGetter = (getter: Getter): getter is TwoOriginGetter => "larger" in getter

export const isUntrusted = (getter: Getter): getter is UntrustedGetter => "untrusted" in getter

/** A text that is the same for two questions that the same answer answers, and for no others. */
export const questionText = (question: Question): string => {
  if (!isGetter(question)) return keyText(question)
  return isTwoOriginGetter(question) ? `${getterText(question)} at two origins` : getterText(question)
}
