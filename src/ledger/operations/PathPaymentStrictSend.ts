import { xdr } from "@stellar/stellar-sdk"
import { sameAsset } from "../Asset.ts"
import { int64Max } from "../Int64.ts"
import { type ApplyContext, defineOperation } from "../Operation.ts"
import {
  creditDestination,
  debitSource,
  findDestination,
  type HopFailure,
  isWellFormed,
  lastPayment,
  pathTouchesFrozen,
  PathWalk,
  type PaymentFailure
} from "./PathPayment.ts"

/** Sends an exact amount, delivering at least `destMin`. The source is debited first, the destination credited last. */
export const PathPaymentStrictSend = defineOperation({
  kind: "pathPaymentStrictSend",
  codes: xdr.PathPaymentStrictSendResult,
  threshold: "medium",
  check: ({ pathPaymentStrictSendOp: op }) => isWellFormed(op, op.sendAmount, op.destMin) ? undefined : "malformed",
  apply: ({ pathPaymentStrictSendOp: op }, context) => {
    const outcome = pay(op, context)
    return typeof outcome === "string" ? outcome : xdr.PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(outcome)
  },
  touchesFrozen: ({ pathPaymentStrictSendOp }, context, frozen) => pathTouchesFrozen(pathPaymentStrictSendOp, context, frozen)
})

type Failure = PaymentFailure | HopFailure | "underDestmin"

const pay = (op: xdr.PathPaymentStrictSendOp, context: ApplyContext): xdr.PathPaymentStrictSendResultSuccess | Failure => {
  const undebited = findDestination(context, op) ?? debitSource(context, op.sendAsset, op.sendAmount)
  if (undebited !== undefined) return undebited

  const walk = new PathWalk(context)
  const offers: Array<xdr.ClaimAtom> = []
  let [sheep, carried] = [op.sendAsset, op.sendAmount]
  for (const wheat of [...op.path, op.destAsset]) {
    if (sameAsset(sheep, wheat)) continue
    const hop = walk.take({ sheep, maxSheep: carried, wheat, maxWheat: int64Max, rounding: "strictSend" })
    if (typeof hop === "string") return hop
    offers.push(...hop.atoms)
    ;[sheep, carried] = [wheat, hop.wheatReceived]
  }
  if (carried < op.destMin) return "underDestmin"
  return (
    creditDestination(context, op, carried) ??
      new xdr.PathPaymentStrictSendResultSuccess({ offers, last: lastPayment(op, carried) })
  )
}
