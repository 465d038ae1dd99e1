import type { AccountAddress } from "../../domain/Address.ts"
import type { HeldPosition } from "../HeldPosition.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { tokenFacts } from "../kit/TokenFacts.ts"
import { isDust, showWorth } from "../kit/Worth.ts"
import { sharesKey } from "./Keys.ts"
import type { PairState } from "./PairState.ts"
import { type Amounts, withdrawalOf } from "./Withdrawal.ts"

const detailOf = (view: LedgerView, state: PairState, worth: Amounts | null): string => {
  if (state.books === null) return "A token of the pair does not report what the pair holds. What the shares are worth is not known."
  if (worth === null) return "The value of the shares is too large for the pair to compute."
  const shown = `The shares are worth ${showWorth(view, state.tokens, worth)} now.`
  return worth.includes(0n) ? `${shown} The pair pays nothing if one side rounds to zero.` : shown
}

/** Shares of a pair as a position. */
export const pairPosition = (view: LedgerView, state: PairState, user: AccountAddress): HeldPosition => {
  const { held, pair: { address, byInterface, wasmHash }, tokens } = state
  const worth = state.books === null ? null : withdrawalOf(state.books, held)
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
    ...(worth !== null && isDust(held, worth) ? { dust: showWorth(view, tokens, worth) } : {}),
    ...(byInterface ? { knownByInterface: [address] } : {})
  }
}
