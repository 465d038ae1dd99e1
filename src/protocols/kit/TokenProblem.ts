import type { CallProblem } from "../Protocol.ts"

/** Errors of the stellar asset contract, which a call that pays or takes tokens passes on as they are. */
const said: Readonly<Record<number, CallProblem>> = {
  10: { _tag: "Short" },
  11: { _tag: "CannotReceive" },
  12: { _tag: "Short" },
  13: { _tag: "CannotReceive" }
}

/** What a token's error means to the account that called; null when it is none of an asset contract. */
export const tokenProblem = (code: number): CallProblem | null => said[code] ?? null
