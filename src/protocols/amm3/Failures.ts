import { type CallProblems, changed, problemsByFunction, refuses } from "../kit/CallProblems.ts"

/** Of both generations, which number theirs apart. What a token says comes through as it is. */
const said: Readonly<Record<string, CallProblems>> = {
  withdraw_rewards: { 10: refuses("The stake contract does not have the rewards it owes.") },
  unbond: { 8: changed, 509: changed, 10: refuses("The stake contract does not have the rewards it owes.") },
  withdraw_liquidity: {
    10: refuses("The pool holds less than it records."),
    // The least to accept, and the deadline.
    4: changed,
    303: changed,
    402: changed,
    22: changed,
    321: changed,
    418: changed
  },
  // The least to accept, the deadline, and a trade that moves the price too far by now.
  swap: { 21: changed, 22: changed, 1: changed, 320: changed, 321: changed, 300: changed }
}

/** What a failed call of this protocol means; null when it is not one of its own errors. */
export const problemOf = problemsByFunction(said)
