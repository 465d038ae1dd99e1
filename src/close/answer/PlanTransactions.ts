import { stroops } from "../../domain/Amount.ts"
import type { PlanTransaction } from "../../domain/Plan.ts"
import type { AlikeSteps } from "../project/AlikeSteps.ts"
import { type PlannedTransaction, simulatedIn } from "../project/PlannedTransaction.ts"
import type { Projection } from "../project/Projection.ts"
import { resultCodes, succeeded } from "../situation/ResultCodes.ts"
import { covers } from "./PlanSteps.ts"

/** The indexes of the steps in each transaction. */
const stepsIn = (steps: ReadonlyArray<AlikeSteps>): ReadonlyMap<number, ReadonlyArray<number>> => {
  const found = new Map<number, Array<number>>()
  for (const [index, { within }] of steps.entries()) {
    for (const transaction of within) {
      const known = found.get(transaction)
      if (known === undefined) found.set(transaction, [index])
      else known.push(index)
    }
  }
  return found
}

/** What the dry run gave, with what each operation did only where one failed. */
const resultOf = ({ applied: { result } }: PlannedTransaction): Pick<PlanTransaction, "operationResultCodes" | "resultCode"> => {
  const { operationResultCodes, resultCode } = resultCodes(result)
  return succeeded(result) ? { resultCode } : { resultCode, operationResultCodes }
}

/** The transactions of a plan, with the indexes of its steps. */
export const planTransactions = (
  { received, transactions }: Pick<Projection, "received" | "transactions">,
  steps: ReadonlyArray<AlikeSteps>
): ReadonlyArray<PlanTransaction> => {
  const within = stepsIn(steps)
  return transactions.map((planned, index) => ({
    index,
    steps: within.get(index) ?? [],
    covers: covers(planned),
    ...(planned.reason === null ? {} : { reason: planned.reason }),
    ...resultOf(planned),
    feeLumens: stroops(planned.applied.feeCharged),
    ...(planned.merges && received > 0n ? { receivedLumens: stroops(received) } : {}),
    simulated: simulatedIn(planned)
  }))
}
