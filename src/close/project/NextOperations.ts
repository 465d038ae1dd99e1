import { Effect } from "effect"
import { inTurns } from "../../chain/pace/Turns.ts"
import type { Operation } from "../../operations/Operations.ts"
import { operationsOf } from "../situation/AtomicGroup.ts"
import { nothingDone } from "../situation/Progress.ts"
import type { Situation } from "../situation/Situation.ts"
import { nextTransaction } from "./PlannedTransaction.ts"

/** The operations that the next transaction carries in a situation, before any gate; null: there is none. */
export const nextOperations = (situation: Situation): Effect.Effect<ReadonlyArray<Operation> | null> =>
  Effect.map(
    inTurns(() => nextTransaction(situation, situation.ledgerState, true, nothingDone)),
    (next) => (next._tag === "Transaction" ? operationsOf(next.groups) : null)
  )
