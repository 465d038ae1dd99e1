import { blocker } from "../../domain/Blocker.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import type { Release } from "../claims/Releases.ts"
import type { Blocker } from "../situation/Gate.ts"
import { resultCodes, succeeded } from "../situation/ResultCodes.ts"
import { dryRunRefusal } from "./DryRunRefusal.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"

/** A code that tells nothing of itself: the operation was applied, or never reached. */
const silent = new Set(["op_success", "op_inner"])

/** Whether all that fails in a transaction is the release of sponsorships that block already, because of their new sponsors. */
export const failsByRelease = ({ applied, groups }: PlannedTransaction, releases: ReadonlyArray<Release>): boolean => {
  const blocked = new Set<string | undefined>(releases.filter(({ blockers }) => blockers.length > 0).map(({ target }) => target))
  const steps = groups.flatMap((group) => group.steps.flatMap((step) => step.operations.map(() => step)))
  const failing = resultCodes(applied.result).operationResultCodes.flatMap((code, at) => (silent.has(code) ? [] : [steps[at]]))
  return failing.length > 0 && failing.every((step) => step?.type === "REVOKE_SPONSORSHIP" && blocked.has(step.entry))
}

/**
 * The transaction of a projection that the ledger would refuse, as something that blocks: a plan is `ready` only when its projection
 * comes to its end. Not told while a required question is open, whose answer decides what is projected.
 */
export const failedProjection = (
  transactions: ReadonlyArray<PlannedTransaction>,
  points: ReadonlyArray<DecisionPoint>
): ReadonlyArray<Blocker> => {
  const index = transactions.findIndex(({ applied }) => !succeeded(applied.result))
  const failing = transactions[index]
  if (failing === undefined || points.some(({ answered, required }) => required && !answered)) return []
  const result = resultCodes(failing.applied.result)
  const transaction = `transactions[${index}]`
  const codes = [result.resultCode, ...new Set(result.operationResultCodes.filter((code) => !silent.has(code)))].join(", ")
  return [{
    failure: dryRunRefusal(transaction, failing),
    shown: blocker(
      "projection_failed",
      `Transaction ${
        index + 1
      } of the close would fail on the ledger (${codes}). Choose another option for its step, or fix the cause, and plan again.`,
      transaction
    )
  }]
}
