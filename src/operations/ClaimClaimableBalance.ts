import * as xdr from "@stellar/stellar-sdk/xdr"
import { toMuxed } from "../stellar/Names.ts"
import { xdrHex } from "../xdr/XdrBytes.ts"
import { breach } from "./Around.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** CLAIM_CLAIMABLE_BALANCE: takes the whole balance onto the source's line. */
export const ClaimClaimableBalance: OperationDefinition<"claim_claimable_balance"> = {
  type: "claim_claimable_balance",
  level: "low",
  build: ({ source, balanceId }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.claimClaimableBalance(
        new xdr.ClaimClaimableBalanceOp({ balanceId: xdr.ClaimableBalanceId.fromXdr(balanceId, "hex") })
      )
    }),
  decode: (body, source) =>
    body.type === "claimClaimableBalance"
      ? { type: "claim_claimable_balance", source, balanceId: xdrHex(body.claimClaimableBalanceOp.balanceId) }
      : null,
  // What is claimed arrives at the account itself. Which balances are claimed is still the caller's choice: some are better left alone.
  admits: ({ balanceId }, { decided }) =>
    decided.isClaimed(balanceId) ? [] : breach("claim", `Claims the balance ${balanceId}, which you neither saw nor decided to claim.`)
}
