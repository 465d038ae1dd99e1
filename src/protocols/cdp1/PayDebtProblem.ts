import type { CallProblem } from "../Exit.ts"
import { type CallProblems, changed, refuses, tokenProblem } from "../kit/CallProblems.ts"

const stuck = refuses(
  "The stablecoin that pays the debt cannot leave the account: it has no trustline for it, or the issuer does not authorise the trustline."
)

/**
 * `SCErrors` of the vaults contract, numbered alike for all its functions, and where the token that it burns has words of its own: that
 * one only takes, so a missing line is no payout's. What has changed are the vault, its debt or its neighbours, or there is no such vault
 * any more.
 */
const said: CallProblems = {
  11: stuck,
  13: stuck,
  20: refuses("The protocol's operators have stopped it, or its price is too old. Try again later."),
  201: changed,
  300: changed,
  500: changed,
  504: changed,
  505: changed,
  506: changed,
  507: changed,
  508: changed,
  509: changed,
  510: changed,
  512: changed,
  600: changed,
  901: changed
}

/** What a failed `pay_debt` means; null when it is not an error of the vaults contract or of the token. */
export const payDebtProblem = (code: number): CallProblem | null => said[code] ?? tokenProblem(code)
