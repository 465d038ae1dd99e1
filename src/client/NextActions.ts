import { Effect } from "effect"
import type { NextAction } from "../domain/CloseTransaction.ts"
import { UnexpectedAnswer } from "./ClientFailure.ts"

/** The orders in which a transaction may be brought to the ledger. */
const known: ReadonlyArray<ReadonlyArray<NextAction>> = [
  ["sign", "submit"],
  ["mediator_sign", "sign", "submit"],
  ["sign", "mediator_sign", "submit"],
  ["sign", "fee_bump", "submit"]
]

/** What the caller made possible. */
interface Allowed {
  readonly mediator: boolean
  readonly feePayer: boolean
}

/** Why a close through a mediator stops where the caller names none: the service's own word about it is not enough. */
export const unnamedMediator = () =>
  new UnexpectedAnswer({
    reason:
      "the lumens go through a mediator, and the option mediator names none. GET /{network}/destinations/{address} has the service's: compare it with what the service's operator publishes elsewhere"
  })

/** What to do with a transaction, if it is one of the known orders and the caller made each part possible. */
export const followed = (
  next: ReadonlyArray<NextAction>,
  allowed: Allowed
): Effect.Effect<ReadonlyArray<NextAction>, UnexpectedAnswer> => {
  const order = next.join(", ")
  if (!known.some((one) => one.join(", ") === order)) {
    return Effect.fail(new UnexpectedAnswer({ reason: `next is "${order}", which is no known order` }))
  }
  if (next.includes("mediator_sign") && !allowed.mediator) {
    return Effect.fail(unnamedMediator())
  }
  if (next.includes("fee_bump") !== allowed.feePayer) {
    const reason = allowed.feePayer
      ? "the transaction is not to be wrapped, and the option feePayer names who pays"
      : "another account is to pay the fee, and the option feePayer names none"
    return Effect.fail(new UnexpectedAnswer({ reason }))
  }
  return Effect.succeed(next)
}
