import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { defineOperation } from "../Operation.ts"

const result = (code: xdr.BeginSponsoringFutureReservesResult) =>
  xdr.OperationResult.opInner(xdr.OperationResultTr.beginSponsoringFutureReserves(code))
const Code = xdr.BeginSponsoringFutureReservesResult

/** From here on the source pays the reserves another account takes on, until that account ends it in this transaction. */
export const BeginSponsoringFutureReserves = defineOperation("beginSponsoringFutureReserves", {
  threshold: "medium",
  check: ({ beginSponsoringFutureReservesOp: { sponsoredId } }, { source }) =>
    sameAccount(sponsoredId, source) ? result(Code.beginSponsoringFutureReservesMalformed()) : undefined,
  apply: ({ beginSponsoringFutureReservesOp: { sponsoredId } }, { draft, source }) => {
    if (draft.sponsorOf(sponsoredId) !== undefined) return result(Code.beginSponsoringFutureReservesAlreadySponsored())
    if (draft.sponsorOf(source) !== undefined || draft.isSponsoringFuture(sponsoredId)) {
      return result(Code.beginSponsoringFutureReservesRecursive())
    }
    draft.openSponsorship(sponsoredId, source)
    return result(Code.beginSponsoringFutureReservesSuccess())
  }
})
