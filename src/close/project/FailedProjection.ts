import { blocker } from "../../domain/Blocker.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import { DryRunFailed } from "../../domain/failure/Planning.ts"
import type { Finding } from "../model/Gate.ts"
import { resultCodes, succeeded } from "../model/ResultCodes.ts"
import type { Round } from "./Round.ts"

/** A code that tells nothing of itself: the operation was applied, or never reached. */
const silent = new Set(["op_success", "op_inner"])

/**
 * The transaction of a projection that the ledger would refuse, as something that blocks: a plan is `ready` only when its projection
 * comes to its end. Not told while a required question is open, whose answer decides what is projected.
 */
export const failedProjection = (rounds: ReadonlyArray<Round>, points: ReadonlyArray<DecisionPoint>): ReadonlyArray<Finding> => {
  const index = rounds.findIndex(({ applied }) => !succeeded(applied.result))
  const failing = rounds[index]
  if (failing === undefined || points.some(({ answered, required }) => required && !answered)) return []
  const result = resultCodes(failing.applied.result)
  const transaction = `tx-${index + 1}`
  const codes = [result.resultCode, ...new Set(result.operationResultCodes.filter((code) => !silent.has(code)))].join(", ")
  return [{
    refusal: new DryRunFailed({ transaction, result }),
    blocker: blocker(
      "projection_failed",
      `Transaction ${index + 1} of the close would fail on the ledger (${codes}). Answer what it does otherwise, or change what stands in its way, and plan again.`,
      transaction
    )
  }]
}
