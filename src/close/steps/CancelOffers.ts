import { stroops } from "../../domain/Amount.ts"
import { atomicGroup } from "../situation/AtomicGroup.ts"
import type { StepRule } from "./StepRule.ts"

/** Open offers go first: they lock balances, hold reserves, and a conversion that met one of them would fail. */
export const cancelOffers: StepRule = function*({ holdings }) {
  for (const offer of holdings.offers) {
    yield atomicGroup([{
      type: "CANCEL_OFFERS",
      title: `Cancel offer ${offer.id}`,
      description: `Take back the offer of ${offer.selling} for ${offer.buying}; its reserve is freed.`,
      entry: offer.id,
      operations: [{
        type: "manage_sell_offer",
        source: holdings.address,
        offerId: offer.id,
        selling: offer.selling,
        buying: offer.buying,
        amount: stroops(0n)
      }]
    }])
  }
}
