import { type CallProblems, changed, problemsByFunction, refuses } from "../kit/CallProblems.ts"

const withdrawn: CallProblems = {
  // Of the share token: fewer shares than were read, or none.
  602: changed,
  2001: changed,
  2006: changed,
  2018: changed,
  2019: refuses("The pool does not hold enough to pay. Try again later."),
  2118: changed,
  2121: changed
}

const swapped: CallProblems = {
  206: refuses("The pool's administrators have switched off its trade."),
  404: changed,
  2006: changed,
  // What the pool before it paid came to nothing, or a pool was emptied.
  2010: changed,
  2018: changed
}

/** Errors of pools, by the function that was called. Those of tokens and of the share token pass through as they are. */
const said: Readonly<Record<string, CallProblems>> = {
  claim: {
    207: refuses("The pool's administrators have switched off claims of its rewards."),
    2019: refuses("The pool does not hold enough rewards to pay. Try again later.")
  },
  gauges_claim: { 207: refuses("The pool's administrators have switched off claims of the rewards of its gauges.") },
  withdraw: withdrawn,
  withdraw_position: withdrawn,
  claim_position_fees: withdrawn,
  swap_chained: swapped
}

/** What a failed call of this protocol means; null when it is not one of its own errors. */
export const problemOf = problemsByFunction(said)
