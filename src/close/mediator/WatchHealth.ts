import type { ComponentHealth } from "../../domain/Health.ts"
import type { Network } from "../../domain/Network.ts"
import type { MediatorAlarm } from "../situation/MediatorWatch.ts"

/** Why it is paused, and how an operator ends that. */
const paused = ({ hash, rule }: MediatorAlarm, network: Network): string => {
  const what = hash === null ? `its account breaks the rule ${rule}` : `transaction ${hash} breaks the rule ${rule}`
  return `paused: ${what}; look at its transactions, set ${network.toUpperCase()}_MEDIATOR_CHECKED_UNTIL to the newest of them, and restart`
}

/** How the watch over the mediator's account fares, which is said before anything else of it; null: well. `blindFor`: seconds. */
export const watchHealth = (alarm: MediatorAlarm | null, blindFor: number | null, network: Network): ComponentHealth | null => {
  if (alarm !== null) return { status: "down", message: paused(alarm, network) }
  return blindFor === null ? null : {
    status: "up",
    message: `its transactions have been unwatched for ${blindFor} seconds: the ledger API or the contract RPC fails`
  }
}
