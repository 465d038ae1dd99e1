import { native } from "../../domain/Asset.ts"
import { mergedStroops, operationResults, succeeded } from "../situation/ResultCodes.ts"
import { spokenLumens } from "../situation/SpokenAmount.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"

/** A planned transaction as it was played, as far as it tells what its merge brings. */
interface PlayedTransaction extends Pick<PlannedTransaction, "groups" | "merges" | "reason"> {
  readonly applied: Pick<PlannedTransaction["applied"], "result">
}

/** Stroops the destination gets from a transaction: what the merge moves, or what the mediator passes on of it. */
export const receivedLumens = ({ applied, groups, merges, reason }: PlayedTransaction): bigint => {
  if (!merges || !succeeded(applied.result)) return 0n
  if (reason === "mediator") {
    const operations = groups.flatMap(({ steps }) => steps.flatMap((task) => task.operations))
    return operations.reduce((sum, operation) => (operation.type === "payment" ? sum + operation.amount : sum), 0n)
  }
  return mergedStroops(operationResults(applied.result).at(-1)) ?? 0n
}

/** Stroops that the merge of a transaction takes out of the account; zero where it merges nothing. */
const mergedLumens = ({ applied }: PlayedTransaction): bigint =>
  operationResults(applied.result).reduce((sum, result) => sum + (mergedStroops(result) ?? 0n), 0n)

const withReceived = <A extends PlayedTransaction>(planned: A, received: bigint): A => {
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
export const withMergedLumens = <A extends PlayedTransaction>(transactions: ReadonlyArray<A>, received: bigint): ReadonlyArray<A> =>
  transactions.map((one) => (one.merges ? withReceived(one, received) : one))
