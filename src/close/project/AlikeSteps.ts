import type { StepType } from "../../domain/Plan.ts"
import type { PlannedStep } from "../situation/AtomicGroup.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"

/** More steps alike than this are told as one step: a stranger decides how many claimable balances there are. */
const mostAlone = 50

/** Entries that such a step names. */
const mostNamed = 5

/** Steps that are told as one, with what they cost together. */
export interface AlikeSteps {
  readonly first: PlannedStep
  readonly count: number
  readonly operations: number
  /** Stroops. */
  readonly fee: bigint
  readonly entries: ReadonlyArray<string>
}

/** What steps alike have in common; a contract call is like no other. */
const kindOf = ({ asset, call, contract, operations, type }: PlannedStep, at: number): string =>
  call === undefined ? [type, asset ?? "", contract ?? "", ...operations.map((operation) => operation.type)].join("|") : `call ${at}`

const feeOf = (perOperation: bigint, { call, operations }: PlannedStep): bigint =>
  call?.feeStroops ?? perOperation * BigInt(operations.length)

const operationsIn = ({ call, operations }: PlannedStep): number => operations.length + (call === undefined ? 0 : 1)

/** The steps of all transactions in order, those of which there are many told at the place of the first. */
export const alikeSteps = (transactions: ReadonlyArray<PlannedTransaction>): ReadonlyArray<AlikeSteps> => {
  const steps = transactions.flatMap(({ bid, groups }) =>
    groups.flatMap((group) => group.steps.map((step) => ({ step, fee: feeOf(bid.perOperation, step) })))
  )
  const kinds = steps.map(({ step }, at) => kindOf(step, at))
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const told = new Map<string, { first: PlannedStep; count: number; operations: number; fee: bigint; entries: Array<string> }>()
  for (const [at, { fee, step }] of steps.entries()) {
    const kind = kinds[at] ?? ""
    const key = (counts.get(kind) ?? 0) > mostAlone ? kind : `${kind} ${at}`
    const known = told.get(key) ?? { first: step, count: 0, operations: 0, fee: 0n, entries: [] }
    known.count += 1
    known.operations += operationsIn(step)
    known.fee += fee
    if (step.entry !== undefined && known.entries.length < mostNamed) known.entries.push(step.entry)
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
export const titleOf = ({ count, first, operations }: AlikeSteps): string =>
  count === 1
    ? first.title
    : titles[first.type]?.(count, first.asset ?? "") ?? `${first.title}, and ${count - 1} more alike (${operations} operations)`
