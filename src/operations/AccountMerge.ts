import * as xdr from "@stellar/stellar-sdk/xdr"
import { destinationOf, toMuxed } from "../stellar/Names.ts"
import { type Around, type Breach, breach, firstBreach } from "./Around.ts"
import { leftBehind } from "./LeftBehind.ts"
import type { OperationDefinition, OperationOf } from "./OperationDefinition.ts"

/** Nothing may follow a merge but the payment by which a mediator passes its lumens on. */
const isLast = ({ expected: { mediator }, index, operations }: Around): boolean =>
  mediator === undefined ? index === operations.length - 1 : index === 0 && operations.length === 2

const misdirected = ({ destination }: OperationOf<"account_merge">, around: Around): ReadonlyArray<Breach> => {
  const { expected: { destination: wanted, mediator } } = around
  const to = mediator?.address ?? wanted
  return firstBreach(
    [destination !== to, "merge_destination", `Merges the account into ${destination} instead of ${to}.`],
    [
      !isLast(around),
      "operation_order",
      mediator === undefined ? "Something follows the merge." : "A merge into the mediator comes first, and its payment alone follows."
    ]
  )
}

/** ACCOUNT_MERGE: the whole native balance goes to the destination and the account is gone, its signers with it. */
export const AccountMerge: OperationDefinition<"account_merge"> = {
  type: "account_merge",
  level: "high",
  build: ({ source, destination }) =>
    new xdr.Operation({ sourceAccount: toMuxed(source), body: xdr.OperationBody.accountMerge(toMuxed(destination)) }),
  decode: (body, source) => {
    if (body.type !== "accountMerge") return null
    return { type: "account_merge", source, destination: destinationOf(body.destination) }
  },
  admits: (operation, around) => [
    ...misdirected(operation, around),
    ...leftBehind(around).flatMap((id) => breach("left_behind", `The merge would leave ${id} behind, which no decision gives up.`))
  ]
}
