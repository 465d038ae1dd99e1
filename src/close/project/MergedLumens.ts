import { native } from "../../domain/Asset.ts"
import { operationResults } from "../situation/ResultCodes.ts"
import { spokenLumens } from "../situation/SpokenAmount.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"

/** Stroops that the merge of a transaction takes out of the account; zero where it merges nothing. */
const mergedLumens = ({ applied }: PlannedTransaction): bigint =>
  operationResults(applied.result).reduce(
    (sum, result) =>
      result.type === "opInner" && result.tr.type === "accountMerge" && result.tr.accountMergeResult.type === "accountMergeSuccess"
        ? sum + result.tr.accountMergeResult.sourceAccountBalance
        : sum,
    0n
  )

const told = (planned: PlannedTransaction, received: bigint): PlannedTransaction => {
  const merged = mergedLumens(planned)
  if (received <= 0n || merged <= 0n) return planned
  const groups = planned.groups.map((group) => ({
    ...group,
    steps: group.steps.map((step) =>
      step.type === "MERGE"
        ? {
          ...step,
          title: `${step.title}: ${spokenLumens(received)} go to ${step.entry}`,
          moves: { pays: [], takes: [{ of: native, units: merged }] }
        }
        : step
    )
  }))
  return { ...planned, groups }
}

/** The transactions of a projection, whose merge says how many lumens arrive (stroops): that is known only once all is played. */
export const withMergedLumens = (
  transactions: ReadonlyArray<PlannedTransaction>,
  received: bigint
): ReadonlyArray<PlannedTransaction> => transactions.map((one) => (one.merges ? told(one, received) : one))
