import { stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { PlanStep, PlanTransaction, StepType } from "../../domain/Plan.ts"
import { type AlikeSteps, titleOf } from "../project/AlikeSteps.ts"
import { type PlannedTransaction, simulatedIn } from "../project/PlannedTransaction.ts"
import type { Projection } from "../project/Projection.ts"
import { valueItems, type Worth } from "../project/Worth.ts"
import type { PlannedStep } from "../situation/AtomicGroup.ts"
import { resultCodes, succeeded } from "../situation/ResultCodes.ts"
import type { TokenNames } from "../situation/SpokenAmount.ts"

/** What each kind of step waits for, besides the step of its own asset before it. */
const waitsFor: Partial<Record<StepType, ReadonlyArray<StepType>>> = {
  HANDLE_ASSETS: ["CANCEL_OFFERS", "WITHDRAW_POOL_SHARES"],
  REMOVE_TRUSTLINES: ["CANCEL_OFFERS", "WITHDRAW_POOL_SHARES"]
}

/** Steps of one asset that wait for the same and not for one another: its claims, for instance. */
interface Level {
  readonly type: StepType
  readonly before: ReadonlyArray<number>
  readonly indexes: Array<number>
}

/** What each step directly waits for, told step by step in order. */
class Predecessors {
  private readonly levels = new Map<AssetId, Level>()
  private readonly ofKind = new Map<StepType, Array<number>>()
  /** Steps that none waits for yet. */
  private readonly last = new Set<number>()

  of({ asset, type }: PlannedStep, index: number): ReadonlyArray<number> {
    const found = type === "MERGE" ? [...this.last] : this.ofAsset(asset, type, index)
    for (const before of found) this.last.delete(before)
    this.last.add(index)
    const known = this.ofKind.get(type)
    if (known === undefined) this.ofKind.set(type, [index])
    else known.push(index)
    return found
  }

  private ofAsset(asset: AssetId | undefined, type: StepType, index: number): ReadonlyArray<number> {
    const level = asset === undefined ? undefined : this.levels.get(asset)
    if (level?.type === type) {
      level.indexes.push(index)
      return level.before
    }
    // What the step before it in its asset has waited for need not be told again.
    const kinds = level !== undefined && waitsFor[level.type] !== undefined ? [] : waitsFor[type] ?? []
    const before = [...new Set([...kinds.flatMap((kind) => this.ofKind.get(kind) ?? []), ...(level?.indexes ?? [])])].toSorted((a, b) =>
      a - b
    )
    if (asset !== undefined) this.levels.set(asset, { type, before, indexes: [index] })
    return before
  }
}

/** The names and the worth that a plan shows amounts with. */
export interface Telling {
  readonly names: TokenNames
  readonly worth: Worth
}

const stepOf = (alike: AlikeSteps, index: number, dependsOn: ReadonlyArray<number>, { names, worth }: Telling): PlanStep => {
  const { count, entries, fee, first, moves, operations } = alike
  return {
    index,
    type: first.type,
    title: titleOf(alike, names),
    description: first.description,
    operationCount: operations,
    estimatedFeeLumens: stroops(fee),
    dependsOn,
    pays: valueItems(moves.pays, names, worth),
    takes: valueItems(moves.takes, names, worth),
    ...(first.asset === undefined ? {} : { affectedAsset: first.asset }),
    // A decision about a position names its contract.
    ...(first.contract === undefined || first.entry?.includes(first.contract) === true ? {} : { affectedContract: first.contract }),
    ...(count > 1 ? { entryCount: count, affectedEntries: entries } : {}),
    ...(count > 1 || first.entry === undefined ? {} : { affectedEntry: first.entry })
  }
}

/** The steps of all transactions in order; many alike are one. */
export const planSteps = (steps: ReadonlyArray<AlikeSteps>, telling: Telling): ReadonlyArray<PlanStep> => {
  const predecessors = new Predecessors()
  return steps.map((alike, index) => stepOf(alike, index, predecessors.of(alike.first, index), telling))
}

/** The kinds of steps a transaction covers, each once, in order. */
export const covers = (
  { groups }: PlannedTransaction
): ReadonlyArray<StepType> => [...new Set(groups.flatMap(({ steps }) => steps.map(({ type }) => type)))]

/** The assets, entries and contracts a transaction touches. */
export const coversTargets = ({ groups }: PlannedTransaction): ReadonlyArray<string> => [
  ...new Set(groups.flatMap(({ steps }) => steps.flatMap(({ asset, contract, entry }) => [asset ?? entry ?? [], contract ?? []].flat())))
]

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
