import { blocker } from "../../domain/Blocker.ts"
import { isMuxed } from "../../domain/DestinationAddress.ts"
import { DestinationUnusable, MemoRequired } from "../../domain/failure/Planning.ts"
import { RegistryExpired } from "../../domain/failure/Upstream.ts"
import { type Memo, showsNothing } from "../../domain/Memo.ts"
import { type Destination, unverifiedProblem } from "../situation/DestinationState.ts"
import type { Blocker, Gate } from "../situation/Gate.ts"
import { muxedProblem } from "../situation/MuxedDestination.ts"
import type { Situation } from "../situation/Situation.ts"

const problemOf = (destination: Destination): string | null => {
  const { account, address, lockedForEver, unverified } = destination
  if (unverified !== null) return unverifiedProblem(unverified)
  const ofId = isMuxed(address) ? muxedProblem(destination) : null
  if (ofId !== null) return ofId
  if (account === null) return "The destination does not exist on this network. Fund it first: a merge cannot create an account."
  return lockedForEver ? "The destination is locked: no signatures can ever move what it receives." : null
}

const unusable = (destination: Destination): ReadonlyArray<Blocker> => {
  const problem = problemOf(destination)
  return problem === null
    ? []
    : [{ failure: new DestinationUnusable({ problems: [problem] }), shown: blocker("destination_unusable", problem, destination.address) }]
}

/** A text memo that shows nothing credits as little as none. */
const isMissing = (memo: Memo | null): boolean => memo === null || (memo.type === "text" && showsNothing(memo.value))

const listed = (destination: Destination, { input, registry }: Situation): ReadonlyArray<Blocker> => {
  const { address, listing } = destination
  if (listing === null) return []
  if (!registry.fresh) {
    const failure = new RegistryExpired({ validUntil: registry.validUntil })
    return [{ failure, shown: blocker("registry_expired", failure.message, address) }]
  }
  const blockers: Array<Blocker> = []
  if (listing.requiresMemo && !isMuxed(address) && isMissing(input.memo)) {
    const failure = new MemoRequired({ memoType: listing.memoType === "none" ? null : listing.memoType })
    blockers.push({
      failure,
      shown: blocker(
        "memo_required",
        `${listing.name} credits deposits by memo. Send the ${listing.memoType} memo it assigned to you.`,
        address
      )
    })
  }
  return blockers
}

const asksForMemo = (destination: Destination, { input }: Situation): ReadonlyArray<Blocker> =>
  destination.asksForMemo && isMissing(input.memo)
    ? [{
      failure: new MemoRequired({ memoType: null }),
      shown: blocker(
        "memo_required",
        "The destination itself requires a memo (SEP-29). Send the memo it assigned to you.",
        destination.address
      )
    }]
    : []

/** Everything that keeps the destination from receiving the merge, or from crediting it. */
export const destinationGate: Gate = (situation) =>
  situation.destination === null
    ? []
    : [...unusable(situation.destination), ...listed(situation.destination, situation), ...asksForMemo(situation.destination, situation)]
