import { type AssetId, issued } from "../../domain/Asset.ts"
import { baseAccount, type DestinationAddress } from "../../domain/DestinationAddress.ts"
import { unverifiedProblem } from "../situation/DestinationState.ts"
import { trustlineIn } from "../situation/Holdings.ts"
import { isMediator } from "../situation/MediatorAccount.ts"
import type { Situation } from "../situation/Situation.ts"
import type { Workbench } from "../situation/Workbench.ts"

/** So much of an asset, for another account. */
interface Transfer {
  readonly asset: AssetId
  readonly amount: bigint
  readonly to: DestinationAddress
}

/** Why no trustline of the destination takes a transfer; null when one does. */
const trustlineProblem = (bench: Workbench, { amount, asset, to }: Transfer): string | null => {
  const trustline = trustlineIn(bench, baseAccount(to), asset)
  if (trustline === null) return "The transfer's destination has no trustline to the asset."
  if (!trustline.authorized) return "The issuer has not authorised the transfer's destination to hold the asset."
  if (trustline.limit - trustline.balance - trustline.buyingLiabilities < amount) {
    return "The trustline limit of the transfer's destination is too low for the amount."
  }
  return null
}

/** Everything that keeps an account from taking anything at all; empty when it can. */
export const destinationProblems = (
  { formerMediators, input, mediator, transferDestinations }: Pick<
    Situation,
    "formerMediators" | "input" | "mediator" | "transferDestinations"
  >,
  to: DestinationAddress
): ReadonlyArray<string> => {
  const destination = transferDestinations.get(to)
  if (baseAccount(to) === input.source) return ["The transfer's destination is the account that is being closed."]
  if (isMediator({ formerMediators, mediator }, to)) {
    return ["The transfer's destination is this service's mediator, which holds no funds for others."]
  }
  if (destination === undefined || destination.account === null) return ["The transfer's destination does not exist on this network."]
  const problems: Array<string> = []
  if (destination.listing !== null) problems.push("The transfer's destination is an exchange address, which would not credit the transfer.")
  if (destination.unverified !== null) problems.push(unverifiedProblem(destination.unverified))
  if (destination.asksForMemo) problems.push("The transfer's destination requires a memo, and a transfer carries none.")
  if (destination.lockedForEver) problems.push("The transfer's destination is locked: no signatures can ever move what it receives.")
  return problems
}

/** Everything that keeps an account from taking a transfer of an asset; empty when it can. */
export const transferProblems = (situation: Situation, bench: Workbench, transfer: Transfer): ReadonlyArray<string> => {
  const { asset, to } = transfer
  const { input, mediator, transferDestinations } = situation
  const account = baseAccount(to)
  if (account !== input.source && issued(asset)?.issuer === account) {
    return ["The transfer's destination is the asset's issuer. Choose return_to_issuer to give it back."]
  }
  const problems = destinationProblems(situation, to)
  const isReachable = account !== input.source && account !== mediator?.address && (transferDestinations.get(to)?.account ?? null) !== null
  const ofTrustline = isReachable ? trustlineProblem(bench, transfer) : null
  return ofTrustline === null ? problems : [...problems, ofTrustline]
}
