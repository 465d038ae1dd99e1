import type { ContractCall } from "../../operations/ContractCall.ts"
import type { CallProblem } from "../Protocol.ts"
import { tokenProblem } from "../kit/TokenProblem.ts"

const unavailable = (reason: string): CallProblem => ({ _tag: "Unavailable", reason })

/** Of `submit` and of its twin that sets off what comes in against what goes out. */
const submitted: Readonly<Record<number, CallProblem>> = {
  // The twin may only take what it has an allowance for, and it has none.
  9: { _tag: "Changed" },
  1200: { _tag: "Changed" },
  1205: unavailable("The rest of the position would not cover its debt. Repay more before withdrawing."),
  1206: unavailable("The pool does not allow this in its present state."),
  1207: unavailable("So much of this asset is lent out that the pool cannot pay it back now. Try again later."),
  1208: unavailable("The position would have more parts than the pool allows."),
  1210: unavailable("The pool has no recent price for an asset of the position. Try again later."),
  1212: unavailable("A liquidation of this account is under way in the pool, which refuses everything until it is over."),
  1217: { _tag: "Changed" },
  1219: { _tag: "Changed" },
  1223: unavailable("The pool has switched this asset off."),
  1224: unavailable("What would be left as collateral is less than the pool demands while there is debt.")
}

const unfunded = unavailable("The rewards are not there to be paid: their source has not enough, or does not let the pool have them.")

/** PoolError, BackstopError and comet Error: codes are told apart by the function, for the contracts number theirs on their own. */
const said: Readonly<Record<string, Readonly<Record<number, CallProblem>>>> = {
  submit: submitted,
  submit_with_allowance: submitted,
  // Of the pool, of the backstop, and of the comet pool that the backstop joins with what it claims.
  claim: { 9: unfunded, 10: unfunded, 20: { _tag: "Changed" }, 1000: { _tag: "Changed" }, 1200: { _tag: "Changed" } },
  queue_withdrawal: { 10: { _tag: "Changed" }, 1007: unavailable("The queue of withdrawals is full. Withdraw from it first.") },
  withdraw: {
    10: { _tag: "Changed" },
    1001: { _tag: "TooEarly" },
    1006: unavailable("The shares are worth nothing any more: the backstop has lost what was deposited."),
    1011: unavailable("The backstop covers a bad debt of this pool and pays nothing until it is settled.")
  },
  exit_pool: { 20: { _tag: "Changed" }, 29: { _tag: "Changed" } }
}

/** What a failed call of this protocol means; null when it is not one of its own errors. */
export const problemOf = (call: Pick<ContractCall, "function">, code: number): CallProblem | null =>
  said[call.function]?.[code] ?? tokenProblem(code)
