import type { ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import type { StepType } from "../../domain/Plan.ts"
import type { Sold } from "../../domain/SoldAmount.ts"
import type { ContractOperation } from "../../operations/ContractOperations.ts"
import type { Operation } from "../../operations/Operations.ts"
import type { AnswerFailure } from "./AnswerFailure.ts"
import type { Blocker } from "./Gate.ts"
import type { Moves } from "./Moved.ts"
import { noPrice, type TokenPrice } from "./TokenWork.ts"
import type { Workbench } from "./Workbench.ts"

/** Part of a close that does one thing to one entry. */
export interface PlannedStep {
  readonly type: StepType
  readonly title: string
  readonly description: string
  readonly operations: ReadonlyArray<Operation>
  /** What it brings to the account and takes out of it, its fee aside. Left out: nothing. */
  readonly moves?: Moves
  readonly asset?: AssetId
  /** The name of the entry: offer id, data entry name, pool id. */
  readonly entry?: string
  readonly contract?: ContractAddress
  /** The contract operation of a step that has one, which then stands alone in its transaction; `feeStroops`: what it bids in all. */
  readonly call?: { readonly operation: ContractOperation; readonly feeStroops: bigint }
}

/** Steps that stand in one transaction or not at all: a disposal and the removal of its trustline. */
export interface AtomicGroup {
  readonly steps: ReadonlyArray<PlannedStep>
  /** Those of its steps, in their order. */
  readonly operations: ReadonlyArray<Operation>
  /** What the owner decides about it. */
  readonly points: ReadonlyArray<DecisionPoint>
  readonly failure: AnswerFailure | null
  /** What blocks it, and no answer can change. */
  readonly blockers: ReadonlyArray<Blocker>
  /** Amounts after it are known only once it is applied: nothing but its like may follow in the same transaction. */
  readonly rereadAfter: boolean
  /** It pays someone else than the close's destination. */
  readonly paysOthers: boolean
  /** Lumens it is quoted to bring, and the least of it; zero for what converts nothing. */
  readonly quoted: TokenPrice
  /** Of what it brings, how much may be missing of each asset (lumens among them) or token and it is made anyway; or how much more it may take. */
  readonly mayLack: ReadonlyMap<Sold, bigint>
  /** How much of which asset it disposes of; null: it disposes of nothing. */
  readonly disposed: { readonly asset: AssetId; readonly amount: bigint } | null
  /** The workbench after it, where it was applied already to find out what it brings; null: it was not. */
  readonly tried: Workbench | null
}

const defaults = {
  points: [] as ReadonlyArray<DecisionPoint>,
  failure: null,
  blockers: [] as ReadonlyArray<Blocker>,
  rereadAfter: false,
  paysOthers: false,
  quoted: noPrice,
  mayLack: new Map<Sold, bigint>(),
  disposed: null,
  tried: null
}

/** A group of steps; without `more` they need no decision. */
export const atomicGroup = (
  steps: ReadonlyArray<PlannedStep>,
  more: Partial<Omit<AtomicGroup, "steps" | "operations">> = {}
): AtomicGroup => ({
  ...defaults,
  ...more,
  steps,
  operations: steps.flatMap(({ operations }) => operations)
})

export const operationsOf = (groups: ReadonlyArray<AtomicGroup>): ReadonlyArray<Operation> => groups.flatMap(({ operations }) => operations)
