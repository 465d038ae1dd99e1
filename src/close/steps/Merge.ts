import { atomicGroup } from "../situation/AtomicGroup.ts"
import { holdingsIn } from "../situation/Holdings.ts"
import type { StepRule } from "./StepRule.ts"

/** The merge comes last, and only when nothing but signers is left: it removes those itself, so they are never touched before. */
export const merge: StepRule = function*({ workbench, holdings, situation: { destination } }) {
  if (destination === null) return
  const left = holdingsIn(workbench().state, holdings.address)
  if (left === null || left.account.numSubEntries !== left.account.signers.length) return
  yield atomicGroup([{
    type: "MERGE",
    title: "Merge the account",
    description: "Sends all lumens, reserves included, and deletes the account.",
    entry: destination.address,
    operations: [{ type: "account_merge", source: holdings.address, destination: destination.address }]
  }])
}
