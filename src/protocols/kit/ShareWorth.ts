import type { ContractAddress } from "../../domain/Address.ts"
import type { LedgerView } from "./LedgerView.ts"
import { showUnits, tokenFacts } from "./TokenFacts.ts"

/** Shares worth no more than this of any token are dust where their contract pays nothing for them; base units. */
const mostDust = 1_000n

/** Whether shares pay nothing, because one token rounds to nothing, and are worth next to nothing in the others. */
export const isDust = (worth: ReadonlyArray<bigint>): boolean => worth.includes(0n) && worth.every((amount) => amount <= mostDust)

/** What shares come to in each token, in words; base units. */
export const showWorth = (view: LedgerView, tokens: ReadonlyArray<ContractAddress>, worth: ReadonlyArray<bigint>): string =>
  tokens.map((token, side) => {
    const { decimals, symbol } = tokenFacts(view, token)
    const units = worth[side] ?? 0n
    return decimals === null ? `${units} base units of ${symbol ?? token}` : `${showUnits(units, decimals)} ${symbol ?? token}`
  }).join(" and ")
