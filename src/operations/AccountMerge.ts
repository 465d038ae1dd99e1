import * as xdr from "@stellar/stellar-sdk/xdr"
import { fromMuxed, toMuxed } from "../stellar/Names.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** ACCOUNT_MERGE: the whole native balance goes to the destination and the account is gone, its signers with it. */
export const AccountMerge: OperationDefinition<"account_merge"> = {
  type: "account_merge",
  level: "high",
  build: ({ source, destination }) =>
    new xdr.Operation({ sourceAccount: toMuxed(source), body: xdr.OperationBody.accountMerge(toMuxed(destination)) }),
  decode: (body, source) => {
    if (body.type !== "accountMerge") return null
    const destination = fromMuxed(body.destination)
    return destination === null ? null : { type: "account_merge", source, destination }
  }
}
