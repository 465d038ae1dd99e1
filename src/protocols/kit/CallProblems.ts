import type { ContractCall } from "../../operations/ContractCall.ts"
import type { CallProblem } from "../Exit.ts"

/** What the errors of a contract mean, by their codes. */
export type CallProblems = Readonly<Record<number, CallProblem>>

/** The ledger is not what the call was built from any more. */
export const changed: CallProblem = { _tag: "Changed" }

/** The contract refuses, in words a caller can act on. */
export const refuses = (reason: string): CallProblem => ({ _tag: "Unavailable", reason })

/** Errors of the stellar asset contract, which a call that pays or takes tokens passes on as they are. */
const ofTokens: CallProblems = {
  10: { _tag: "Short" },
  11: { _tag: "CannotReceive" },
  12: { _tag: "Short" },
  13: { _tag: "CannotReceive" }
}

/** What a token's error means to the account that called; null when it is none of an asset contract. */
export const tokenProblem = (code: number): CallProblem | null => ofTokens[code] ?? null

/** What a failed call means, where codes differ by the function that was called. Those of tokens pass through; null: none of them. */
export const problemsByFunction =
  (said: Readonly<Record<string, CallProblems>>) => (call: Pick<ContractCall, "function">, code: number): CallProblem | null =>
    said[call.function]?.[code] ?? tokenProblem(code)
