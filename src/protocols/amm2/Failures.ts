import type { ContractCall } from "../../operations/ContractCall.ts"
import type { CallProblem } from "../Exit.ts"
import { type CallProblems, changed, refuses, tokenProblem } from "../kit/CallProblems.ts"

const cannotReceive: CallProblem = { _tag: "CannotReceive" }

/** CombinedRouterError, SoroswapPairError, and errors of asset contracts: only the account is paid by this call, so only its line can lack. */
const said: CallProblems = {
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

/** What a failed call of this protocol means; null when it is not one of its own errors. */
export const problemOf = (call: Pick<ContractCall, "function">, code: number): CallProblem | null =>
  (call.function === "remove_liquidity" ? said[code] : undefined) ?? tokenProblem(code)
