import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { defineOperation } from "../Operation.ts"

/** From here on the source pays the reserves another account takes on, until that account ends it in this transaction. */
export const BeginSponsoringFutureReserves = defineOperation({
  kind: "beginSponsoringFutureReserves",
  codes: xdr.BeginSponsoringFutureReservesResult,
  threshold: "medium",
  check: ({ beginSponsoringFutureReservesOp: { sponsoredId } }, { source }) => sameAccount(sponsoredId, source) ? "malformed" : undefined,
  apply: ({ beginSponsoringFutureReservesOp: { sponsoredId } }, { draft, source }) => {
    if (draft.sponsorOf(sponsoredId) !== undefined) return "alreadySponsored"
    if (draft.sponsorOf(source) !== undefined || draft.isSponsoringFuture(sponsoredId)) {
      return "recursive"
    }
    draft.openSponsorship(sponsoredId, source)
    return "success"
  }
})
