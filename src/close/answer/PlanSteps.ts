import { stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { PlanStep, StepType } from "../../domain/Plan.ts"
import { type AlikeTasks, alikeTasks, titleOf } from "../project/AlikeTasks.ts"
import type { Round } from "../project/Round.ts"
import type { Task } from "../model/Unit.ts"

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

  of({ asset, type }: Task, index: number): ReadonlyArray<number> {
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
    const before = [...new Set([...kinds.flatMap((kind) => this.ofKind.get(kind) ?? []), ...(level?.indexes ?? [])])].sort((a, b) => a - b)
    if (asset !== undefined) this.levels.set(asset, { type, before, indexes: [index] })
    return before
  }
}

const stepOf = (alike: AlikeTasks, index: number, dependsOn: ReadonlyArray<number>): PlanStep => {
  const { count, entries, fee, first, operations } = alike
  return {
    index,
    type: first.type,
    title: titleOf(alike),
    description: first.description,
    operationCount: operations,
    estimatedFeeLumens: stroops(fee),
    dependsOn,
    ...(first.asset === undefined ? {} : { affectedAsset: first.asset }),
    ...(first.contract === undefined ? {} : { affectedContract: first.contract }),
    ...(count > 1 ? { entryCount: count, affectedEntries: entries } : {}),
    ...(count > 1 || first.entry === undefined ? {} : { affectedEntry: first.entry })
  }
}

/** The steps of all transactions in order; many alike are one. */
export const planSteps = (rounds: ReadonlyArray<Round>): ReadonlyArray<PlanStep> => {
  const predecessors = new Predecessors()
  return alikeTasks(rounds).map((alike, index) => stepOf(alike, index, predecessors.of(alike.first, index)))
}

/** The kinds of steps a transaction covers, each once, in order. */
export const covers = ({ units }: Round): ReadonlyArray<StepType> => [...new Set(units.flatMap(({ tasks }) => tasks.map(({ type }) => type)))]

/** The assets, entries and contracts a transaction touches. */
export const coversTargets = ({ units }: Round): ReadonlyArray<string> => [
  ...new Set(units.flatMap(({ tasks }) => tasks.flatMap(({ asset, contract, entry }) => [asset ?? entry ?? [], contract ?? []].flat())))
]
