import * as xdr from "@stellar/stellar-sdk/xdr"
import { toMuxed } from "../stellar/Names.ts"
import { breach } from "./Around.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"
import { fromRevocation, toRevocation } from "./SponsorshipTarget.ts"

/** REVOKE_SPONSORSHIP: the source stops paying an entry's reserve; its owner pays, or the account that sponsors the source just then. */
export const RevokeSponsorship: OperationDefinition<"revoke_sponsorship"> = {
  type: "revoke_sponsorship",
  level: "med",
  build: ({ source, entry }) =>
    new xdr.Operation({ sourceAccount: toMuxed(source), body: xdr.OperationBody.revokeSponsorship(toRevocation(entry)) }),
  decode: (body, source) => {
    if (body.type !== "revokeSponsorship") return null
    const named = fromRevocation(body.revokeSponsorshipOp)
    return named === null ? null : { type: "revoke_sponsorship", source, ...named }
  },
  // The ledger lets only the sponsor do it, and the reserve is set free. Who pays it from then on is as decided.
  admits: ({ entry }, { decided, index, operations }) => {
    const { choice, params } = decided.to(`sponsorship:${entry}`) ?? {}
    const before = operations[index - 1]
    const sponsor = before?.type === "begin_sponsoring_future_reserves" ? before.source : undefined
    return choice !== "transfer_sponsorship" || sponsor === params?.newSponsor
      ? []
      : breach("sponsorship", `Ends the sponsorship of ${entry} instead of handing it over as decided.`)
  }
}
