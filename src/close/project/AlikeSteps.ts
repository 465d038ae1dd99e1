import type { PlannedStep } from "../situation/AtomicGroup.ts"
import { type Moves, summedMoves } from "../situation/Moved.ts"
import type { TokenNames } from "../situation/SpokenAmount.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"
import { type StepsAlike, titleOfMany } from "./StepTitle.ts"

/** More steps alike than this are shown as one step: a stranger decides how many claimable balances there are. */
const mostAlone = 50

/** Entries that such a step names. */
const mostNamed = 5

/** Steps that are shown as one, with what they cost together. */
export interface AlikeSteps extends StepsAlike {
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
  const sums = new Map<string, SummedSteps>()
  for (const [at, { fee, step, within }] of steps.entries()) {
    const kind = kinds[at] ?? ""
    const key = (counts.get(kind) ?? 0) > mostAlone ? kind : `${kind} ${at}`
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
export const titleOf = (alike: AlikeSteps, names: TokenNames): string =>
  alike.count === 1 ? alike.first.title : titleOfMany(alike, names, true)
