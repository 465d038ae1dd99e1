import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import type { ContractRpcLagging, LedgerApiLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import type { Situation } from "../situation/Situation.ts"
import { balanceDoubt } from "./BalanceGate.ts"
import { isMediated, mergeDoubt } from "./MergeGate.ts"
import { isWitnessed } from "./WitnessGate.ts"

type SourceDoubt = LedgerApiLagging | ContractRpcLagging | SourcesDisagree

const doubtWarning = ({ _tag, message }: SourceDoubt): PlanBlocker =>
  warning(_tag === "SourcesDisagree" ? "source_failed" : "source_lagging", message)

/** What the merge gate and the balance gate find in what the plan read, each once. */
const sourceDoubts = (situation: Situation, transactions: ReadonlyArray<PlannedTransaction>): ReadonlyArray<PlanBlocker> => {
  const doubts = transactions.flatMap((planned) => [mergeDoubt(situation, planned) ?? [], balanceDoubt(situation, planned) ?? []].flat())
  return [...new Map(doubts.map((doubt) => [doubt.message, doubtWarning(doubt)])).values()]
}

/** Transactions that the warning names at most. */
const maxNamed = 5

const named = (indexes: ReadonlyArray<number>): string => {
  const more = indexes.length - maxNamed
  return `transaction${indexes.length === 1 ? "" : "s"} ${indexes.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

/**
 * Warnings of the gates that compare sources. Where the plan read both, it reports what they find; where a gate queries a second source only
 * at the build, one warning `gates_at_build` names the transactions.
 */
export const gateWarnings = (situation: Situation, transactions: ReadonlyArray<PlannedTransaction>): ReadonlyArray<PlanBlocker> => {
  const witnessed = isWitnessed(situation)
  const atBuild = transactions.flatMap((planned, index) => (isMediated(planned) || witnessed(planned) ? [index + 1] : []))
  return [
    ...sourceDoubts(situation, transactions),
    ...(atBuild.length === 0 ? [] : [
      warning(
        "gates_at_build",
        `The build of ${
          named(atBuild)
        } compares its data with a second source. This plan did not query that source, so the build can still fail.`
      )
    ])
  ]
}
