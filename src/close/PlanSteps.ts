import { stroops } from "../domain/Amount.ts"
import type { PlanStep, StepType } from "../domain/Plan.ts"
import type { Round } from "./Round.ts"
import type { Task } from "./Unit.ts"

/** What each kind of step waits for, besides the step of its own asset before it. */
const waitsFor: Partial<Record<StepType, ReadonlyArray<StepType>>> = {
  HANDLE_ASSETS: ["CANCEL_OFFERS", "WITHDRAW_POOL_SHARES"],
  REMOVE_TRUSTLINES: ["CANCEL_OFFERS", "WITHDRAW_POOL_SHARES"]
}

const stepOf = (task: Task, index: number, fee: bigint, before: ReadonlyArray<PlanStep>): PlanStep => {
  const kinds = waitsFor[task.type] ?? []
  const waits = (step: PlanStep) =>
    task.type === "MERGE" || kinds.includes(step.type) || (task.asset !== undefined && step.affectedAsset === task.asset)
  return {
    index,
    type: task.type,
    title: task.title,
    description: task.description,
    operationCount: task.operations.length + (task.call === undefined ? 0 : 1),
    estimatedFeeLumens: stroops(task.call?.feeStroops ?? fee * BigInt(task.operations.length)),
    dependsOn: before.filter(waits).map((step) => step.index),
    ...(task.asset === undefined ? {} : { affectedAsset: task.asset }),
    ...(task.contract === undefined ? {} : { affectedContract: task.contract }),
    ...(task.entry === undefined ? {} : { affectedEntry: task.entry })
  }
}

/** The steps of all transactions in order. */
export const planSteps = (rounds: ReadonlyArray<Round>): ReadonlyArray<PlanStep> => {
  const steps: Array<PlanStep> = []
  for (const { bid, units } of rounds) {
    for (const task of units.flatMap(({ tasks }) => tasks)) steps.push(stepOf(task, steps.length, bid.perOperation, steps))
  }
  return steps
}

/** The kinds of steps a transaction covers, each once, in order. */
export const covers = ({ units }: Round): ReadonlyArray<StepType> => [...new Set(units.flatMap(({ tasks }) => tasks.map(({ type }) => type)))]

/** The assets, entries and contracts a transaction touches. */
export const coversTargets = ({ units }: Round): ReadonlyArray<string> => [
  ...new Set(units.flatMap(({ tasks }) => tasks.flatMap(({ asset, contract, entry }) => [asset ?? entry ?? [], contract ?? []].flat())))
]
