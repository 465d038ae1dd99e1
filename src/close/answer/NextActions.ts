import type { NextAction } from "../../domain/CloseTransaction.ts"
import type { Round } from "../project/Round.ts"
import type { Situation } from "../model/Situation.ts"
import { requiredWeight, usableSigners } from "../model/Weight.ts"

const signsAlone = ({ holdings: { account } }: Round): boolean =>
  usableSigners(account).some(({ weight }) => weight >= requiredWeight(account, "high"))

/**
 * What the caller does with a transaction, in order. The mediator signs for five minutes where one signer suffices, so it comes first;
 * several signers sign before it, and have half an hour.
 */
export const nextActions = ({ input }: Situation, round: Round): ReadonlyArray<NextAction> => {
  if (round.reason === "mediator") return signsAlone(round) ? ["mediator_sign", "sign", "submit"] : ["sign", "mediator_sign", "submit"]
  return input.feePayer === "fee_bump" ? ["sign", "fee_bump", "submit"] : ["sign", "submit"]
}
