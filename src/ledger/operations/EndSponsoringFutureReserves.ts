import { xdr } from "@stellar/stellar-sdk"
import { defineOperation } from "../Operation.ts"

/** Ends the sponsorship of the source's future reserves: it is the sponsored account that does. */
export const EndSponsoringFutureReserves = defineOperation({
  kind: "endSponsoringFutureReserves",
  codes: xdr.EndSponsoringFutureReservesResult,
  threshold: "medium",
  check: () => undefined,
  apply: (_, { draft, source }) => {
    if (draft.sponsorOf(source) === undefined) return "notSponsored"
    draft.closeSponsorship(source)
    return "success"
  }
})
