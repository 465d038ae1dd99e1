import { stroops } from "../../domain/Amount.ts"
import { atomicGroup } from "../situation/AtomicGroup.ts"
import { codeOf, spokenAmount } from "../situation/SpokenAmount.ts"
import type { StepRule } from "./StepRule.ts"

/** Open offers go first: they lock balances, hold reserves, and a conversion that met one of them would fail. */
export const cancelOffers: StepRule = function*({ holdings }) {
  for (const offer of holdings.offers) {
    yield atomicGroup([{
      type: "CANCEL_OFFERS",
      title: `Cancel the offer of ${spokenAmount({ of: offer.selling, units: offer.amount })} for ${codeOf(offer.buying)}`,
      description: "The amount it reserves stays on the account, and its reserve is freed.",
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
