import type { AssetId } from "../../domain/Asset.ts"
import type { ClaimGroup } from "../claims/Claims.ts"
import type { Release } from "../claims/Releases.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import type { Holdings } from "../situation/Holdings.ts"
import type { Situation } from "../situation/Situation.ts"
import type { Workbench } from "../situation/Workbench.ts"

/** What a step looks at: the situation of the call, what is held now, and a ledger on which all earlier groups are applied. */
export interface StepView {
  readonly situation: Situation
  readonly holdings: Holdings
  /** What can be claimed, with the owner's answers. */
  readonly claims: ReadonlyArray<ClaimGroup>
  /** Assets whose trustlines and balances stay untouched, because a position still needs them. */
  readonly awaited: ReadonlySet<AssetId>
  /** Those that debts are still to be paid from. */
  readonly owed: ReadonlySet<AssetId>
  /** What the account sponsors, and how each is released. */
  readonly releases: ReadonlyArray<Release>
  /** Operations that still fit into this transaction, and into one that is empty; bytes of operations that fit into one that is empty. */
  readonly room: { readonly left: () => number; readonly whole: number; readonly bytes: number }
  /** Whether this is the transaction that is built next, and not one that is projected behind it. */
  readonly isNext: boolean
  /** The ledger after every group taken so far; call it again for each group. */
  readonly workbench: () => Workbench
}

/** A step rule yields groups one by one; each is applied to the workbench before the next is taken. */
export type StepRule = (view: StepView) => Iterable<AtomicGroup>
