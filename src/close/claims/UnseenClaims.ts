import type { ClaimableBalance } from "../../domain/Account.ts"
import { native } from "../../domain/Asset.ts"
import { cameLater } from "../situation/OpenClaims.ts"
import type { ClaimSituation } from "./ClaimSituation.ts"
import { countsQuoted } from "./UnquotedClaims.ts"

/** Whether a claim may be worth more than the owner's answer leaves behind: without its entry nothing but lumens is quoted. */
const mayBeWorthMore = (situation: ClaimSituation, balance: ClaimableBalance): boolean => {
  const most = situation.input.later?.maxLumensEach ?? null
  return most !== null && countsQuoted(situation, balance) && (balance.asset !== native || balance.amount > most)
}

/**
 * How many claimable balances that the contract RPC has not reached yet are left behind, since they came after the plan that the owner's
 * `later` answers. Both sources must show that: the ledger API by the last modification, the contract RPC by having none in a ledger since.
 */
export const unseenGifts = (situation: ClaimSituation): number => {
  const { input, snapshot: { claimableListed, state, unconfirmedClaims } } = situation
  return state.claimableBalances.filter((balance) => {
    const without = unconfirmedClaims.get(balance.id)
    return without !== undefined && input.later !== null && without >= input.later.ledger &&
      cameLater(input, balance, claimableListed.modified.get(balance.id) ?? 0) && !mayBeWorthMore(situation, balance)
  }).length
}
