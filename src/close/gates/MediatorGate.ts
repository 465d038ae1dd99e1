import { blocker, type BlockerReason } from "../../domain/Blocker.ts"
import { DestinationUnusable } from "../../domain/failure/Planning.ts"
import { MediatorNotConfigured, MediatorOverfunded } from "../../domain/failure/Upstream.ts"
import { needsMediator } from "../mediator/Mediation.ts"
import type { Refusal } from "../situation/BuildFailure.ts"
import type { Blocker, Gate } from "../situation/Gate.ts"
import { accountIn, floatOf, isMediator, signsAlone } from "../situation/MediatorAccount.ts"
import type { Situation } from "../situation/Situation.ts"

const blocking = (failure: Refusal | null, reason: BlockerReason, message: string, subject: string): Blocker => ({
  failure,
  shown: blocker(reason, message, subject)
})

const availability = ({ destination, input, mediator, ledgerState }: Situation): ReadonlyArray<Blocker> => {
  if (destination === null) return []
  const unavailable = (
    refusal: Refusal | null,
    message: string
  ) => [blocking(refusal, "mediator_unavailable", message, destination.address)]
  const name = destination.listing?.name ?? destination.address
  if (mediator === null) {
    return unavailable(
      new MediatorNotConfigured(),
      `${name} does not credit a merge, and this service has no mediator configured to pay it.`
    )
  }
  if (mediator.address === input.source) {
    return unavailable(new MediatorNotConfigured(), "The account is the mediator itself. It cannot be closed into an exchange.")
  }
  if (mediator.isPaused) return unavailable(null, "The mediator is paused until its operator has looked at what was done with its account.")
  const account = accountIn(mediator.entry)
  if (account === null || !signsAlone(account)) {
    return unavailable(new MediatorNotConfigured(), `${name} needs the mediator, and the mediator's account is not ready on this network.`)
  }
  return floatOf(account, ledgerState.header.baseReserve) > mediator.maxFloat
    ? unavailable(new MediatorOverfunded(), "The mediator holds too many lumens and is paused until the operator moves them.")
    : []
}

/** The mediator never is a destination, under no address it ever had, and must be there and within its bounds where a destination needs it. */
export const mediatorGate: Gate = (situation) => {
  const { destination, registry } = situation
  if (destination === null) return []
  if (isMediator(situation, destination.address)) {
    const problem = "The destination is this service's mediator, which holds no funds for others."
    return [blocking(new DestinationUnusable({ problems: [problem] }), "destination_unusable", problem, destination.address)]
  }
  return needsMediator(situation) && registry.fresh ? availability(situation) : []
}
