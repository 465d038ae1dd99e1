import { type Exits, toBeLeft } from "../../situation/Exits.ts"
import { isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import { isNamedByOwnCalls } from "../payouts/OwnPosition.ts"
import type { ExitQuestion } from "./ExitFacts.ts"

/** Exits whose next call is simulated ahead of its turn, however long that takes. */
const alwaysSimulated = 100

/**
 * Whether a position is the owner's, or the owner wants to leave it: others cannot give it, an own call named its contract, or an answer says
 * so. Any other is a mere gift.
 */
export const isWanted = ({ called }: ExitQuestion["snapshot"], one: PlannedExit): boolean =>
  one.gift === undefined || (!isForfeited(one) && (one.answer !== undefined || isNamedByOwnCalls({ called }, one)))

/** Exits whose next call can be simulated, and how that is done. */
export interface ExitTurns {
  /** In the order in which they are simulated. */
  readonly inOrder: ReadonlyArray<PlannedExit>
  /** Those that are simulated however long it takes, by their decisions. */
  readonly due: ReadonlySet<string>
  /** Those whose call this build may return, by their decisions. */
  readonly handedOver: ReadonlySet<string>
}

/**
 * The turns of exits. Those that are given up are simulated too: whether there is another way out decides whether giving up may be chosen. Mere
 * gifts come last, and of these the ones that pay an unknown token: only a token can leave a simulation without an answer.
 */
export const exitTurns = (
  { purpose, snapshot }: Pick<ExitQuestion, "purpose" | "snapshot">,
  exits: Exits,
  isCallable: (one: PlannedExit) => boolean
): ExitTurns => {
  const callable = exits.planned.filter(isCallable)
  const paysAssets = ({ exit }: PlannedExit): boolean =>
    exit._tag === "Calls" && exit.calls[0].payouts.every(({ token }) => exits.assets.has(token))
  const turnOf = (one: PlannedExit): number => [isWanted(snapshot, one), paysAssets(one), true].indexOf(true)
  // Whether a gift is left is not known yet: the call that is handed over is one up to the first that is none.
  const next = toBeLeft(exits).filter(isCallable)
  const firstOwn = next.findIndex(({ gift }) => gift === undefined)
  const handedOver = firstOwn < 0 ? next : next.slice(0, firstOwn + 1)
  const due = [
    ...callable.filter(isForfeited),
    ...callable.filter((one) => !isForfeited(one)).slice(0, alwaysSimulated),
    ...next.filter(({ answer, gift }) => gift === undefined || answer !== undefined).slice(0, 1)
  ]
  return {
    inOrder: callable.toSorted((left, right) => turnOf(left) - turnOf(right)),
    due: new Set(due.map(({ id }) => id)),
    handedOver: new Set(purpose === "build" ? handedOver.map(({ id }) => id) : [])
  }
}
