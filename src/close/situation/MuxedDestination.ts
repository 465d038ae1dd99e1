import type { Listing } from "../../registry/ExchangeRegistry.ts"
import { unverifiedProblem } from "./DestinationState.ts"

/** Why nothing is sent to an id behind an account (M...), by what the registry says of the account; null: it may be. */
export const muxedProblem = ({ listing, unverified }: Listing): string | null => {
  if (unverified !== null) return unverifiedProblem(unverified)
  if (listing === null) return null
  const name = listing.name.slice(0, 60)
  if (listing.requiresMediator) {
    return `${name} is paid by the mediator, which pays no muxed address (M...). Send the deposit address (G...) that it contains, and a memo.`
  }
  return listing.muxed === true
    ? null
    : `${name} is not known to credit muxed addresses (M...). Send the deposit address (G...) that it contains, and a memo if it needs one.`
}
