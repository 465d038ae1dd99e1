import type { ContractCall } from "../../operations/ContractCall.ts"
import type { CallSimulation } from "./CallSimulation.ts"
import type { Blocker } from "./Gate.ts"
import type { PlannedExit } from "./PlannedExit.ts"

/** The claims that come after the calls that leave a position, in the same contract; none where rewards are claimed first, or not at all. */
export const lastClaims = ({ exit }: Pick<PlannedExit, "exit">): ReadonlyArray<ContractCall> => {
  if (exit._tag !== "Calls") return []
  const [first, ...later] = exit.calls
  return later.filter(({ claimsOnly = false, contract }) => claimsOnly && contract === first.contract)
}

/** The results of simulating the calls of a position: the next one, and the claims that come last. */
export const simulationsOf = (
  { lastClaims: last, simulation }: Pick<PlannedExit, "lastClaims" | "simulation">
): ReadonlyArray<CallSimulation> => [
  ...(simulation === null ? [] : [simulation]),
  ...last.values()
]

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

/** Stroops of resource fee that a claim of an exit was simulated at, by its function; null: it is not made, or was not simulated. */
export const claimFee = (one: PlannedExit, claim: string): bigint | null => {
  const next = one.exit._tag === "Calls" ? one.exit.calls[0] : null
  return next?.claimsOnly === true && next.function === claim ? simulatedFee(one.simulation) : simulatedFee(one.lastClaims.get(claim))
}

/**
 * What keeps rewards from being claimed after an exit, reported before it: as long as the position is held its owner may still wait, or
 * give them up by name. `judge`: what is said of an exit whose next call is this one.
 */
export const claimBlockers = (one: PlannedExit, judge: (one: PlannedExit) => ReadonlyArray<Blocker>): ReadonlyArray<Blocker> =>
  [...one.lastClaims.values()].flatMap((simulation) => judge({ ...one, simulation })).map(({ shown, ...rest }) => ({
    ...rest,
    shown: { ...shown, message: `Its rewards could not be claimed after the exit. ${shown.message}` }
  }))
