import type { NextAction } from "../../domain/CloseTransaction.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import type { Situation } from "../situation/Situation.ts"
import { requiredWeight, usableSigners } from "../situation/Weight.ts"

const signsAlone = ({ holdings: { account } }: PlannedTransaction): boolean =>
  usableSigners(account).some(({ weight }) => weight >= requiredWeight(account, "high"))

/**
 * What the caller does with a transaction, in order. The mediator signs for five minutes where one signer suffices, so it comes first;
 * several signers sign before it, and have half an hour.
 */
export const nextActions = ({ input }: Situation, planned: PlannedTransaction): ReadonlyArray<NextAction> => {
  if (planned.reason === "mediator") return signsAlone(planned) ? ["mediator_sign", "sign", "submit"] : ["sign", "mediator_sign", "submit"]
  return input.feePayer === "fee_bump" ? ["sign", "fee_bump", "submit"] : ["sign", "submit"]
}
