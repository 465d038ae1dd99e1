import type { ContractAddress } from "../../domain/Address.ts"
import { showUnits } from "../../domain/Amount.ts"
import { counted } from "../../domain/CountedNoun.ts"
import { mostDust } from "../../domain/Position.ts"
import type { LedgerView } from "./LedgerView.ts"
import { tokenFacts } from "./TokenFacts.ts"

/**
 * Whether shares pay nothing in a pool that refuses to pay nothing of one of its tokens, and are worth next to nothing in the others.
 * `worth`: what they come to in each token, base units. Many shares are never dust: what a pool holds is one source's word, and the
 * number of shares is confirmed by another before a merge.
 */
export const isDust = (shares: bigint, worth: ReadonlyArray<bigint>): boolean =>
  shares <= mostDust && worth.includes(0n) && worth.every((amount) => amount <= mostDust)

/** What shares come to in each token, in words. */
export const showWorth = (view: LedgerView, tokens: ReadonlyArray<ContractAddress>, worth: ReadonlyArray<bigint>): string =>
  tokens.map((token, side) => {
    const { decimals, symbol } = tokenFacts(view, token)
    const units = worth[side] ?? 0n
    return decimals === null ? `${counted(units, "base unit")} of ${symbol ?? token}` : `${showUnits(units, decimals)} ${symbol ?? token}`
  }).join(" and ")
