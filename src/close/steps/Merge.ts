import { holdingsIn } from "../model/Holdings.ts"
import type { Step } from "../model/Step.ts"
import { unit } from "../model/Unit.ts"

/** The merge comes last, and only when nothing but signers is left: it removes those itself, so they are never touched before. */
export const merge: Step = function*({ bench, holdings, situation: { destination } }) {
  if (destination === null) return
  const left = holdingsIn(bench().state, holdings.address)
  if (left === null || left.account.numSubEntries !== left.account.signers.length) return
  yield unit([{
    type: "MERGE",
    title: "Merge the account",
    description: `All lumens go to ${destination.address}, reserves included, and the account is gone.`,
    entry: destination.address,
    operations: [{ type: "account_merge", source: holdings.address, destination: destination.address }]
  }])
}
