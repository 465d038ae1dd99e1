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

/** Delivers an exact amount, paying at most `sendMax`. The destination is credited first, the source debited last. */
export const PathPaymentStrictReceive = defineOperation({
  kind: "pathPaymentStrictReceive",
  codes: xdr.PathPaymentStrictReceiveResult,
  threshold: "medium",
  check: ({ pathPaymentStrictReceiveOp: op }) => isWellFormed(op, op.destAmount, op.sendMax) ? undefined : "malformed",
  apply: ({ pathPaymentStrictReceiveOp: op }, context) => {
    const outcome = payStrictReceive(op, context)
    return typeof outcome === "string" ? outcome : xdr.PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSuccess(outcome)
  },
  touchesFrozen: ({ pathPaymentStrictReceiveOp }, context, frozen) => pathTouchesFrozen(pathPaymentStrictReceiveOp, context, frozen)
})

type StrictReceiveFailure = PaymentFailure | HopFailure | "overSendmax"

const payStrictReceive = (
  op: xdr.PathPaymentStrictReceiveOp,
  context: ApplyContext
): xdr.PathPaymentStrictReceiveResultSuccess | StrictReceiveFailure => {
  const uncredited = findDestination(context, op) ?? creditDestination(context, op, op.destAmount)
  if (uncredited !== undefined) return uncredited

  const walk = new PathWalk(context)
  let offers: ReadonlyArray<xdr.ClaimAtom> = []
  let [wheat, needed] = [op.destAsset, op.destAmount]
  for (const sheep of [...op.path.toReversed(), op.sendAsset]) {
    if (sameAsset(sheep, wheat)) continue
    const hop = walk.take({ sheep, maxSheep: int64Max, wheat, maxWheat: needed, rounding: "strictReceive" })
    if (typeof hop === "string") return hop
    offers = [...hop.atoms, ...offers]
    ;[wheat, needed] = [sheep, hop.sheepSent]
  }
  if (needed > op.sendMax) return "overSendmax"
  return (
    debitSource(context, op.sendAsset, needed) ??
      new xdr.PathPaymentStrictReceiveResultSuccess({ offers: [...offers], last: lastPayment(op, op.destAmount) })
  )
}
