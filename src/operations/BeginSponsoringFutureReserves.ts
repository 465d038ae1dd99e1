import * as xdr from "@stellar/stellar-sdk/xdr"
import { addressOf, toMuxed } from "../stellar/Names.ts"
import { publicKeyOf } from "../xdr/LedgerKeys.ts"
import { firstBreach } from "./Around.ts"
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
      : null,
  // The new sponsor signs for itself. It begins for one entry that is handed over to it by decision, and ends at once.
  admits: ({ source, sponsored }, { decided, expected, index, operations }) => {
    const [next, after] = [operations[index + 1], operations[index + 2]]
    const decision = next?.type === "revoke_sponsorship" ? decided.to(`sponsorship:${next.entry}`) : undefined
    return firstBreach(
      [sponsored !== expected.source, "sponsorship", `Sponsors ${sponsored} instead of the account.`],
      [
        decision?.choice !== "transfer_sponsorship" || decision.params?.newSponsor !== source,
        "sponsorship",
        `Makes ${source} a sponsor, which no decision asks for.`
      ],
      [after?.type !== "end_sponsoring_future_reserves", "operation_order", "A sponsorship begins that does not end at once."]
    )
  }
}
