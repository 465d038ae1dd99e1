import type { ContractCall } from "../../operations/ContractCall.ts"
import type { CallSimulation, PlannedExit } from "./Exits.ts"
import type { Blocker } from "./Gate.ts"

/** The claim that comes after the calls that leave a position, in the same contract; null where rewards are claimed first, or not at all. */
export const lastClaim = ({ exit }: Pick<PlannedExit, "exit">): ContractCall | null => {
  if (exit._tag !== "Calls") return null
  const [first, ...later] = exit.calls
  return later.find(({ claimsOnly = false, contract }) => claimsOnly && contract === first.contract) ?? null
}

/** Stroops of resource fee that a call was simulated at; null: it was not. */
export const simulatedFee = (simulation: CallSimulation | null | undefined): bigint | null => {
  switch (simulation?._tag) {
    case "TooDear":
      return simulation.resourceFee
    case "Ready":
    case "Restore":
      return simulation.resources.resourceFee
    default:
      return null
  }
}

/**
 * What keeps rewards from being claimed after an exit is told before it: as long as the position is held its owner may still wait, or
 * give them up by name. `judge`: what is said of an exit whose next call is this one.
 */
export const claimFindings = (one: PlannedExit, judge: (one: PlannedExit) => ReadonlyArray<Blocker>): ReadonlyArray<Blocker> =>
  one.claim === undefined ? [] : judge({ ...one, simulation: one.claim }).map(({ shown, failure }) => ({
    failure,
    shown: { ...shown, message: `Its rewards could not be claimed once it is left. ${shown.message}` }
  }))
