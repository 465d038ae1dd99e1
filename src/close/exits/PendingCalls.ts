import { HashSet } from "effect"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { callsOf, isCovered, type PlannedExit, toBeLeft } from "../model/Exits.ts"
import { called, type Done } from "../model/Progress.ts"
import type { Situation } from "../model/Situation.ts"

/** A call that is still to be made, and which of its position's it is. */
export interface PendingCall {
  readonly one: PlannedExit
  readonly call: ContractCall
  readonly index: number
}

/** The calls that are still to be made, in their order; `done`: what was done. */
export const pendingCalls = ({ exits }: Situation, done: Done): ReadonlyArray<PendingCall> =>
  toBeLeft(exits)
    .filter((one) => one.exit._tag === "Calls" || isCovered(exits, one, done))
    .flatMap((one) => callsOf(one).map((call, index) => ({ one, call, index })))
    .filter(({ index, one }) => !HashSet.has(done, called(one, index)))
