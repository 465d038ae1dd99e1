import * as xdr from "@stellar/stellar-sdk/xdr"
import { addressOf, toMuxed } from "../stellar/Names.ts"
import { publicKeyOf } from "../xdr/LedgerKeys.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** BEGIN_SPONSORING_FUTURE_RESERVES: the source takes over what the sponsored account would pay, until the matching END. */
export const BeginSponsoringFutureReserves: OperationDefinition<"begin_sponsoring_future_reserves"> = {
  type: "begin_sponsoring_future_reserves",
  level: "med",
  build: ({ source, sponsored }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.beginSponsoringFutureReserves(
        new xdr.BeginSponsoringFutureReservesOp({ sponsoredId: publicKeyOf(sponsored) })
      )
    }),
  decode: (body, source) =>
    body.type === "beginSponsoringFutureReserves"
      ? {
        type: "begin_sponsoring_future_reserves",
        source,
        sponsored: addressOf(body.beginSponsoringFutureReservesOp.sponsoredId)
      }
      : null
}
