import { Array as Arr } from "effect"
import type { Intent } from "../../domain/Intent.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import { disposalWay, titleOfMany } from "../project/StepTitle.ts"
import { valueItems } from "../project/Worth.ts"
import type { PlannedStep } from "../situation/AtomicGroup.ts"
import { netMoves, noMoves, summedMoves } from "../situation/Moved.ts"
import type { TokenNames } from "../situation/SpokenAmount.ts"
import type { AmountDisplay } from "./PlanSteps.ts"

const kindOf = (step: PlannedStep): string => (step.type === "HANDLE_ASSETS" ? `${step.type} ${disposalWay(step)}` : step.type)

/** Steps in the words of their titles; several of a kind as one. */
const summaryOf = (steps: ReadonlyArray<PlannedStep>, names: TokenNames): string =>
  Object.values(Arr.groupBy(steps, kindOf)).map((alike) => {
    const [first] = alike
    if (alike.length === 1) return first.title
    const moves = summedMoves(alike.map((one) => one.moves ?? noMoves))
    const operations = alike.reduce((sum, one) => sum + one.operations.length, 0)
    return titleOfMany({ first, count: alike.length, operations, moves }, names, false)
  }).join("; ")

/** What the planned steps of a transaction are called, and what they come to. */
export const intentLabel = (
  { groups }: Pick<PlannedTransaction, "groups">,
  { names, worth }: AmountDisplay
): Pick<Intent, "expects" | "summary"> => {
  const steps = groups.flatMap((group) => group.steps)
  const { pays, takes } = netMoves(steps.map((one) => one.moves ?? noMoves))
  return {
    summary: summaryOf(steps, names),
    expects: { pays: valueItems(pays, names, worth), takes: valueItems(takes, names, worth) }
  }
}
