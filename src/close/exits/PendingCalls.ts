import type { ContractCall } from "../../operations/ContractCall.ts"
import { callMark, callsOf, isCovered, type PlannedExit, toBeLeft } from "../model/Exits.ts"
import type { Situation } from "../model/Situation.ts"

/** A call that is still to be made, and which of its position's it is. */
export interface PendingCall {
  readonly one: PlannedExit
  readonly call: ContractCall
  readonly index: number
}

/** The calls that are still to be made, in their order; `done`: marks of the moves that were made. */
export const pendingCalls = ({ exits }: Situation, done: ReadonlySet<string>): ReadonlyArray<PendingCall> =>
  toBeLeft(exits)
    .filter((one) => one.exit._tag === "Calls" || isCovered(exits, one, done))
    .flatMap((one) => callsOf(one).map((call, index) => ({ one, call, index })))
    .filter(({ index, one }) => !done.has(callMark(one, index)))
