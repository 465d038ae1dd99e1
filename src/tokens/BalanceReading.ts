import { Either } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { i128 } from "../stellar/ScValCodec.ts"
import type { StoredBalance } from "./StoredToken.ts"
import type { TokenAnswer } from "./TokenQuery.ts"

/** What is known of a balance. */
export type BalanceReading =
  /** `modified`: the ledger that last modified the entry that holds it; null where none of a known form does. */
  | { readonly _tag: "Amount"; readonly amount: bigint; readonly modified: number | null }
  /** Asking again tells no more. */
  | { readonly _tag: "Unreadable" }
  /** There was no time to ask. */
  | { readonly _tag: "Unasked" }
  | { readonly _tag: "Failed"; readonly failure: ChainFailure }

/** Amounts are what a token's own getter says they are: never less than none. */
const amountIn = (told: TokenAnswer): bigint | null => {
  const amount = told._tag === "Value" ? Either.getOrNull(i128.decode(told.value)) : null
  return amount === null || amount < 0n ? null : amount
}

/** What two origins say together of a balance: the larger amount counts, and one of them alone is not believed that nothing is held. */
export const largerBalance = (first: TokenAnswer, second: TokenAnswer): TokenAnswer => {
  const [one, other] = [amountIn(first) ?? -1n, amountIn(second) ?? -1n]
  if (one > 0n || other > 0n) return other > one ? second : first
  return one === 0n ? second : first
}

/** The balance of code that is known to keep it in the entry. */
export const balanceFromEntry = (stored: StoredBalance): BalanceReading => {
  switch (stored._tag) {
    case "Absent":
      return { _tag: "Amount", amount: 0n, modified: null }
    case "Amount":
      return { _tag: "Amount", amount: stored.amount, modified: stored.modified }
    case "Odd":
      return { _tag: "Unreadable" }
  }
}

/** Why no amount is known. */
const unknownFor = (told: TokenAnswer): BalanceReading => {
  switch (told._tag) {
    case "Failed":
      return { _tag: "Failed", failure: told.failure }
    case "Unasked":
      return { _tag: "Unasked" }
    case "Value":
    case "NoValue":
      return { _tag: "Unreadable" }
  }
}

/**
 * The balance of code that nothing is known of, by the entry and by what the token says. Where both are more than nothing and differ, the token's
 * word counts, because a transfer is held to it. One of them alone is believed to have something, and neither alone to have nothing.
 */
export const balanceFromBoth = (stored: StoredBalance, told: TokenAnswer): BalanceReading => {
  const amount = amountIn(told)
  const kept = stored._tag === "Amount" ? stored.amount : 0n
  if (amount !== null && (amount > 0n || kept === 0n)) {
    return { _tag: "Amount", amount, modified: stored._tag === "Amount" && kept === amount ? stored.modified : null }
  }
  if (stored._tag === "Amount" && (kept > 0n || told._tag === "NoValue")) return balanceFromEntry(stored)
  return unknownFor(told)
}
