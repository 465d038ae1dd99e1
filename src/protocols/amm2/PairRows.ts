import type { AccountAddress } from "../../domain/Address.ts"
import type { HeldPosition } from "../HeldPosition.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { showUnits, tokenFacts } from "../kit/TokenFacts.ts"
import { sharesKey } from "./Keys.ts"
import type { PairState } from "./PairState.ts"
import { type Amounts, withdrawalOf } from "./Withdrawal.ts"

/** Shares worth no more than this on either side are dust where the pair pays nothing for them; base units. */
const mostDust = 1_000n

/** Whether shares pay nothing, because one side rounds to nothing, and are worth next to nothing on the other. */
export const isDust = (worth: Amounts | null): boolean =>
  worth !== null && worth.includes(0n) && worth.every((amount) => amount <= mostDust)

/** What shares come to in both tokens, in words. */
export const showWorth = (view: LedgerView, { tokens }: Pick<PairState, "tokens">, worth: Amounts): string =>
  tokens.map((token, side) => {
    const { decimals, symbol } = tokenFacts(view, token)
    const units = worth[side] ?? 0n
    return decimals === null ? `${units} base units of ${symbol ?? token}` : `${showUnits(units, decimals)} ${symbol ?? token}`
  }).join(" and ")

const detailOf = (view: LedgerView, state: PairState, worth: Amounts | null): string => {
  if (worth === null) return "What the shares are worth is beyond what the pair can reckon with."
  const shown = `The shares come to ${showWorth(view, state, worth)} now.`
  return worth.includes(0n) ? `${shown} The pair pays nothing where one side comes to none.` : shown
}

/** Shares of a pair as a position. */
export const pairPosition = (view: LedgerView, state: PairState, user: AccountAddress): HeldPosition => {
  const { held, pair: { address, byInterface, wasmHash }, tokens } = state
  const worth = withdrawalOf(state.books, held)
  return {
    protocol: "amm_2",
    contract: address,
    key: "shares",
    rows: [{
      protocol: "amm_2",
      positionType: "lp",
      contractAddress: address,
      shareAmount: held.toString(),
      tokens,
      wasmHash,
      usdValue: null,
      display: {
        pool: null,
        asset: tokens.map((token) => tokenFacts(view, token).symbol ?? token).join("/"),
        amount: null,
        collateralAmount: null,
        yieldPct: null,
        yieldKind: null,
        detail: detailOf(view, state, worth)
      }
    }],
    pays: tokens,
    owes: [],
    givenUnder: sharesKey(address, user),
    ...(worth !== null && isDust(worth) ? { dust: showWorth(view, state, worth) } : {}),
    ...(byInterface ? { knownByInterface: [address] } : {})
  }
}
