import { stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { PlanStep, PlanTransaction, StepType } from "../../domain/Plan.ts"
import { envelopeBytes } from "../project/LargeEnvelopes.ts"
import { type PlannedTransaction, simulatedIn } from "../project/PlannedTransaction.ts"
import type { Projection } from "../project/Projection.ts"
import { type StepsAlike, titleOfMany } from "../project/StepTitle.ts"
import { valueItems, type Worth } from "../project/Worth.ts"
import type { PlannedStep } from "../situation/AtomicGroup.ts"
import { type Moves, summedMoves } from "../situation/Moved.ts"
import { resultCodes, succeeded } from "../situation/ResultCodes.ts"
import type { Situation } from "../situation/Situation.ts"
import type { TokenNames } from "../situation/SpokenAmount.ts"

/** More steps alike than this are shown as one step: a stranger decides how many claimable balances there are. */
const mostAlone = 50

/** Entries that such a step names. */
const mostNamed = 5

/** Steps that are shown as one, with what they cost together. */
interface AlikeSteps extends StepsAlike {
  /** Stroops. */
  readonly fee: bigint
  readonly entries: ReadonlyArray<string>
  /** The transactions that they stand in, by index, each once. */
  readonly within: ReadonlyArray<number>
}

/** What steps alike have in common; a contract call is like no other. */
const kindOf = ({ asset, call, contract, operations, type }: PlannedStep, at: number): string =>
  call === undefined ? [type, asset ?? "", contract ?? "", ...operations.map((operation) => operation.type)].join("|") : `call ${at}`

const feeOf = (perOperation: bigint, { call, operations }: PlannedStep): bigint =>
  call?.feeStroops ?? perOperation * BigInt(operations.length)

const operationsIn = ({ call, operations }: PlannedStep): number => operations.length + (call === undefined ? 0 : 1)

/** Steps that are shown as one, while they are summed. */
interface SummedSteps extends Omit<AlikeSteps, "moves"> {
  count: number
  operations: number
  fee: bigint
  readonly entries: Array<string>
  readonly within: Array<number>
  readonly moved: Array<Moves>
}

/** The steps of all transactions in order, many alike as one at the place of the first. */
export const alikeSteps = (transactions: ReadonlyArray<PlannedTransaction>): ReadonlyArray<AlikeSteps> => {
  const steps = transactions.flatMap(({ bid, groups }, within) =>
    groups.flatMap((group) => group.steps.map((step) => ({ step, fee: feeOf(bid.perOperation, step), within })))
  )
  const kinds = steps.map(({ step }, at) => kindOf(step, at))
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const sums = new Map<string | number, SummedSteps>()
  for (const [at, { fee, step, within }] of steps.entries()) {
    const kind = kinds[at] ?? ""
    const key = (counts.get(kind) ?? 0) > mostAlone ? kind : at
    const known = sums.get(key) ?? { first: step, count: 0, operations: 0, fee: 0n, entries: [], within: [], moved: [] }
    known.count += 1
    known.operations += operationsIn(step)
    known.fee += fee
    if (step.entry !== undefined && known.entries.length < mostNamed) known.entries.push(step.entry)
    if (step.moves !== undefined) known.moved.push(step.moves)
    if (known.within.at(-1) !== within) known.within.push(within)
    sums.set(key, known)
  }
  return [...sums.values()].map(({ moved, ...one }) => ({ ...one, moves: summedMoves(moved) }))
}

/** What such a step is called. */
const titleOf = (alike: AlikeSteps, names: TokenNames): string => alike.count === 1 ? alike.first.title : titleOfMany(alike, names, true)

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
    // What the step before it in its asset has waited for is not repeated.
    const kinds = level !== undefined && waitsFor[level.type] !== undefined ? [] : waitsFor[type] ?? []
    const before = [...new Set([...kinds.flatMap((kind) => this.ofKind.get(kind) ?? []), ...(level?.indexes ?? [])])].toSorted((a, b) =>
      a - b
    )
    if (asset !== undefined) this.levels.set(asset, { type, before, indexes: [index] })
    return before
  }
}

/** The names and the worth that a plan shows amounts with. */
export interface AmountDisplay {
  readonly names: TokenNames
  readonly worth: Worth
}

const stepOf = (alike: AlikeSteps, index: number, dependsOn: ReadonlyArray<number>, { names, worth }: AmountDisplay): PlanStep => {
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
export const planSteps = (steps: ReadonlyArray<AlikeSteps>, display: AmountDisplay): ReadonlyArray<PlanStep> => {
  const predecessors = new Predecessors()
  return steps.map((alike, index) => stepOf(alike, index, predecessors.of(alike.first, index), display))
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

const sizeOf = (situation: Pick<Situation, "input">, planned: PlannedTransaction): Pick<PlanTransaction, "envelopeBytes"> => {
  const bytes = situation.input.envelopeLimit === null ? null : envelopeBytes(situation, planned)
  return bytes === null ? {} : { envelopeBytes: bytes }
}

/** The transactions of a plan, with the indexes of its steps. */
export const planTransactions = (
  situation: Pick<Situation, "input">,
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
    ...sizeOf(situation, planned),
    ...(planned.merges && received > 0n ? { receivedLumens: stroops(received) } : {}),
    simulated: simulatedIn(planned)
  }))
}
