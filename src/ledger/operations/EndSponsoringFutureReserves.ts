import { xdr } from "@stellar/stellar-sdk"
import { defineOperation } from "../Operation.ts"

const result = (code: xdr.EndSponsoringFutureReservesResult) =>
  xdr.OperationResult.opInner(xdr.OperationResultTr.endSponsoringFutureReserves(code))
const Code = xdr.EndSponsoringFutureReservesResult

/** Ends the sponsorship of the source's future reserves: it is the sponsored account that does. */
export const EndSponsoringFutureReserves = defineOperation("endSponsoringFutureReserves", {
  threshold: "medium",
  check: () => undefined,
  apply: (_, { draft, source }) => {
    if (draft.sponsorOf(source) === undefined) return result(Code.endSponsoringFutureReservesNotSponsored())
    draft.closeSponsorship(source)
    return result(Code.endSponsoringFutureReservesSuccess())
  }
})
