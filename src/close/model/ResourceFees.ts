import type { Decision } from "../../domain/Decision.ts"
import type { Exits, PlannedExit } from "./Exits.ts"

/** Stroops of resource fee that may be declared for a position: what the settings allow, or what its owner accepts by name. */
export const acceptedFee = (answer: Decision | undefined, setting: bigint): bigint => {
  const named = answer?.params?.maxResourceFee ?? 0n
  return named > setting ? named : setting
}

/** Stroops of resource fee of the next call of a position, where that is more than the settings allow; null: it is not, as far as is known. */
export const dearFee = ({ mostResourceFee }: Pick<Exits, "mostResourceFee">, { simulation }: Pick<PlannedExit, "simulation">): bigint | null => {
  switch (simulation?._tag) {
    case "TooDear":
      return simulation.resourceFee
    case "Ready":
    case "Restore":
      return simulation.resources.resourceFee > mostResourceFee ? simulation.resources.resourceFee : null
    default:
      return null
  }
}
