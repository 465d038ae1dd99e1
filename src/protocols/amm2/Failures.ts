import type { CallProblem } from "../Exit.ts"
import { type CallProblems, changed, problemsByFunction, refuses } from "../kit/CallProblems.ts"

const cannotReceive: CallProblem = { _tag: "CannotReceive" }

/** Too late, or the pairs have changed since. */
const swapped: CallProblems = {
  503: changed,
  507: changed,
  511: changed,
  110: changed,
  112: changed,
  114: refuses("A pair on the path holds less of a token than it records.")
}

/** CombinedRouterError, SoroswapPairError, and errors of asset contracts: only the account is paid by this call, so only its line can lack. */
const removed: CallProblems = {
  10: cannotReceive,
  11: cannotReceive,
  13: cannotReceive,
  // Too late, or the price has moved beyond what is accepted.
  503: changed,
  505: changed,
  506: changed,
  // The shares are not what they were when the call was made.
  115: changed,
  116: changed,
  117: changed,
  509: refuses("The router's factory does not know this pair.")
}

const said: Readonly<Record<string, CallProblems>> = { remove_liquidity: removed, swap_exact_tokens_for_tokens: swapped }

/** What a failed call of this protocol means; null when it is not one of its own errors. */
export const problemOf = problemsByFunction(said)
