import { operationResults, succeeded } from "../situation/ResultCodes.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"

/** Stroops the destination gets from a transaction: what the merge moves, or what the mediator passes on of it. */
export const receivedLumens = ({ applied, merges, reason, groups }: PlannedTransaction): bigint => {
  if (!merges || !succeeded(applied.result)) return 0n
  if (reason === "mediator") {
    const operations = groups.flatMap(({ steps }) => steps.flatMap((task) => task.operations))
    return operations.reduce((sum, operation) => (operation.type === "payment" ? sum + operation.amount : sum), 0n)
  }
  const last = operationResults(applied.result).at(-1)
  if (last?.type !== "opInner" || last.tr.type !== "accountMerge") return 0n
  return last.tr.accountMergeResult.type === "accountMergeSuccess" ? last.tr.accountMergeResult.sourceAccountBalance : 0n
}
