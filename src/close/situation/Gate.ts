import type { PlanBlocker } from "../../domain/Blocker.ts"
import type { Refusal } from "./BuildFailure.ts"
import type { Situation } from "./Situation.ts"

/** Something that stands in the way of the close, with the code a builder answers when it is the only one. */
export interface Blocker {
  readonly shown: PlanBlocker
  /** Null: the builder answers `plan_blocked` with the blocker itself. */
  readonly failure: Refusal | null
  /** With so many stroops more it would not be in the way. Left out: that is not known. */
  readonly lacksLumens?: bigint
}

/** A gate looks at the whole situation and names what must not be closed over. Plan and builder ask the same gates. */
export type Gate = (situation: Situation) => ReadonlyArray<Blocker>
