import type { PlanBlocker } from "../../domain/Blocker.ts"
import type { Refusal } from "./BuildFailure.ts"
import type { LiftingAnswer } from "./LiftingAnswers.ts"
import type { Situation } from "./Situation.ts"

/** What makes a close impossible now, with the failure a builder returns when it is the only one. */
export interface Blocker {
  readonly shown: PlanBlocker
  /** Null: the builder answers `plan_blocked` with the blocker itself. */
  readonly failure: Refusal | null
  /** With this many stroops more it would go away. Left out: unknown. */
  readonly lacksLumens?: bigint
  /** Answers of which each makes it go away, where a plan offers them. Left out: no answer does. */
  readonly liftedBy?: ReadonlyArray<LiftingAnswer>
}

/** A gate looks at the whole situation and names what must not be closed over. Plan and builder ask the same gates. */
export type Gate = (situation: Situation) => ReadonlyArray<Blocker>
