import type { CallProblem } from "../Protocol.ts"
import { tokenProblem } from "../kit/TokenProblem.ts"

/** The vault, its debt or its neighbours are not what they were when the call was built, or there is no such vault any more. */
const changed: CallProblem = { _tag: "Changed" }

const unavailable = (reason: string): CallProblem => ({ _tag: "Unavailable", reason })

const stuck = unavailable("The stablecoin that pays the debt cannot leave the account: there is no trustline for it, or its issuer does not authorise the one there is.")

/**
 * `SCErrors` of the vaults contract, numbered alike for all its functions, and where the token that it burns has words of its own: that
 * one only takes, so a missing line is no payout's.
 */
const said: Readonly<Record<number, CallProblem>> = {
  11: stuck,
  13: stuck,
  20: unavailable("The protocol's operators have stopped it, or its price is too old. Try again later."),
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
