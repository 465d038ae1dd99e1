import type { ContractAddress } from "../../../domain/Address.ts"
import { type Exits, toBeLeft } from "../../situation/Exits.ts"
import { callsOf, isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import { repeatedFailure } from "../../situation/RepeatedFailure.ts"
import type { Situation } from "../../situation/Situation.ts"
import { lackingTrustlines, trustlineProblem } from "./PayoutTrustlines.ts"

/**
 * Tokens that leaving a position brings and that no step of the close can carry on: they would be stranded. A token that is itself one of
 * the protocol's contracts, as the shares of a pool are, is a position that is left next.
 */
export const strandedTokens = (
  { exits, snapshot }: Pick<Situation, "exits" | "snapshot">,
  one: PlannedExit
): ReadonlyArray<ContractAddress> => {
  const calls = callsOf(one)
  const carried = snapshot.protocols.flatMap(({ protocol }) => (protocol.name === one.position.protocol ? protocol.contracts : []))
  const spent = new Set([...carried, ...calls.flatMap(({ holds }) => holds.map(({ token }) => token))])
  return [
    ...new Set(
      calls.flatMap(({ payouts }) => payouts.map(({ token }) => token)).filter((token) =>
        !exits.assets.has(token) && !exits.carried.has(token) && !spent.has(token)
      )
    )
  ]
}

/** Whether the position itself says that it cannot be left now, as far as was seen. */
const isRefused = ({ exit, simulation }: PlannedExit): boolean => {
  if (exit._tag === "Refused") return true
  switch (simulation?._tag) {
    case undefined:
    case "Ready":
    case "Restore":
    case "TooEarly":
    case "Unreached":
      return false
    default:
      return true
  }
}

/** Whether a position pays onto a line that its owner can neither add nor use: an issuer that is gone, or does not authorise it. */
const lacksLine = ({ exits, input: { source }, ledgerState }: Situation, one: PlannedExit): boolean =>
  lackingTrustlines(ledgerState, source, exits.assets, callsOf(one)).some((asset) =>
    trustlineProblem(ledgerState, source, asset, one) !== null
  )

/**
 * Whether there is no way out of a position now, regardless of what its owner decided: then it can be given up by name. Too few lumens for it is
 * one of the reasons, as the projection finds them (`Exits.stuck`).
 */
export const hasNoWayOut = (situation: Situation, one: PlannedExit): boolean =>
  isRefused(one) || repeatedFailure(situation, one) !== null || situation.exits.stuck.has(one.id) || lacksLine(situation, one) ||
  strandedTokens(situation, one).length > 0

/** The same exits, as if nothing were given up. */
export const withoutForfeits = (exits: Exits): Exits => ({
  ...exits,
  planned: exits.planned.map((one) => (isForfeited(one) ? { ...one, answer: undefined } : one))
})

/** Exits whose calls are not all made where lumens come to their end. `isDone`: whether all of one's are. */
export const unfinished = (exits: Exits, isDone: (one: PlannedExit) => boolean): ReadonlySet<string> =>
  new Set(toBeLeft(exits).filter((one) => one.exit._tag === "Calls" && !isDone(one)).map(({ id }) => id))
