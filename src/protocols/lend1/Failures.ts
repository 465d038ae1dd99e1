import { type CallProblems, changed, problemsByFunction, refuses } from "../kit/CallProblems.ts"

/** Of `submit` and of its twin that sets off what comes in against what goes out. */
const submitted: CallProblems = {
  // The twin may only take what it has an allowance for, and it has none.
  9: changed,
  1200: changed,
  1205: refuses("The rest of the position would not cover its debt. Repay more before withdrawing."),
  1206: refuses("The pool does not allow this in its present state."),
  1207: refuses("So much of this asset is lent out that the pool cannot pay it back now. Try again later."),
  1208: refuses("The position would have more parts than the pool allows."),
  1210: refuses("The pool has no recent price for an asset of the position. Try again later."),
  1212: refuses("The pool is liquidating this account and rejects every call until that ends."),
  1217: changed,
  1219: changed,
  1223: refuses("The pool has switched this asset off."),
  1224: refuses("The remaining collateral would be less than the pool requires while there is debt.")
}

const unfunded = refuses("The rewards cannot be paid: their source does not have enough, or does not allow the pool to take them.")

/** PoolError, BackstopError and comet Error: codes are distinguished by the function, for the contracts number theirs on their own. */
const said: Readonly<Record<string, CallProblems>> = {
  submit: submitted,
  submit_with_allowance: submitted,
  // Of the pool, of the backstop, and of the comet pool that the backstop joins with what it claims.
  claim: { 9: unfunded, 10: unfunded, 20: changed, 1000: changed, 1200: changed },
  queue_withdrawal: { 10: changed, 1007: refuses("The queue of withdrawals is full. Withdraw from it first.") },
  withdraw: {
    10: changed,
    1001: { _tag: "TooEarly" },
    1006: refuses("The shares are worth nothing: the backstop has lost the deposits."),
    1011: refuses("The backstop covers a bad debt of this pool and pays nothing until it is settled.")
  },
  exit_pool: { 20: changed, 29: changed }
}

/** What a failed call of this protocol means; null when it is not one of its own errors. */
export const problemOf = problemsByFunction(said)
