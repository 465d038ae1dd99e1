import type { StepType } from "../../domain/Plan.ts"
import type { Round } from "./Round.ts"
import type { Task } from "../model/Unit.ts"

/** More tasks alike than this are told as one step: a stranger decides how many claimable balances there are. */
const mostAlone = 50

/** Entries that such a step names. */
const mostNamed = 5

/** Tasks that are told as one step, with what they cost together. */
export interface AlikeTasks {
  readonly first: Task
  readonly count: number
  readonly operations: number
  /** Stroops. */
  readonly fee: bigint
  readonly entries: ReadonlyArray<string>
}

/** What tasks alike have in common; a contract call is like no other. */
const kindOf = ({ asset, call, contract, operations, type }: Task, at: number): string =>
  call === undefined ? [type, asset ?? "", contract ?? "", ...operations.map((operation) => operation.type)].join("|") : `call ${at}`

const feeOf = (perOperation: bigint, { call, operations }: Task): bigint => call?.feeStroops ?? perOperation * BigInt(operations.length)

const operationsIn = ({ call, operations }: Task): number => operations.length + (call === undefined ? 0 : 1)

/** The tasks of all transactions in order, those of which there are many told at the place of the first. */
export const alikeTasks = (rounds: ReadonlyArray<Round>): ReadonlyArray<AlikeTasks> => {
  const tasks = rounds.flatMap(({ bid, units }) => units.flatMap((unit) => unit.tasks.map((task) => ({ task, fee: feeOf(bid.perOperation, task) }))))
  const kinds = tasks.map(({ task }, at) => kindOf(task, at))
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const told = new Map<string, { first: Task; count: number; operations: number; fee: bigint; entries: Array<string> }>()
  for (const [at, { fee, task }] of tasks.entries()) {
    const kind = kinds[at] ?? ""
    const key = (counts.get(kind) ?? 0) > mostAlone ? kind : `${kind} ${at}`
    const known = told.get(key) ?? { first: task, count: 0, operations: 0, fee: 0n, entries: [] }
    known.count += 1
    known.operations += operationsIn(task)
    known.fee += fee
    if (task.entry !== undefined && known.entries.length < mostNamed) known.entries.push(task.entry)
    told.set(key, known)
  }
  return [...told.values()]
}

const titles: Partial<Record<StepType, (count: number, asset: string) => string>> = {
  CANCEL_OFFERS: (count) => `Cancel ${count} offers`,
  REMOVE_DATA_ENTRIES: (count) => `Remove ${count} data entries`,
  CLAIM_BALANCES: (count, asset) => `Claim ${count} balances of ${asset}`,
  ADD_TRUSTLINE: (count, asset) => `Add the trustline to ${asset} for each of ${count} parts`,
  HANDLE_ASSETS: (count, asset) => `Dispose of ${asset} in ${count} parts`,
  REMOVE_TRUSTLINES: (count, asset) => `Remove the trustline to ${asset} after each of ${count} parts`
}

/** What such a step is called. */
export const titleOf = ({ count, first, operations }: AlikeTasks): string =>
  count === 1 ? first.title : titles[first.type]?.(count, first.asset ?? "") ?? `${first.title}, and ${count - 1} more alike (${operations} operations)`
