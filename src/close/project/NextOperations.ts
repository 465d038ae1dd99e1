import { Effect } from "effect"
import { inTurns } from "../../chain/Turns.ts"
import { operationsOf } from "../model/Unit.ts"
import type { Operation } from "../../operations/Operations.ts"
import type { Situation } from "../model/Situation.ts"
import { nextRound } from "./Round.ts"

/** The operations that the next transaction carries in a situation, before any gate; null: there is none. */
export const nextOperations = (situation: Situation): Effect.Effect<ReadonlyArray<Operation> | null> =>
  Effect.map(inTurns(() => nextRound(situation, situation.world, true, new Set())), (next) =>
    (next.kind === "transaction" ? next.units.flatMap(operationsOf) : null))
