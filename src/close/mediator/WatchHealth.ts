import { Effect } from "effect"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { ComponentHealth } from "../../domain/Health.ts"
import type { Network } from "../../domain/Network.ts"
import { type MediatorAlarm, MediatorWatch } from "../situation/MediatorWatch.ts"

/** Why it is paused, and how an operator ends that. */
const paused = ({ hash, rule }: MediatorAlarm, network: Network): string => {
  const what = hash === null ? `its account breaks the rule ${rule}` : `transaction ${hash} breaks the rule ${rule}`
  return `paused: ${what}; look at its transactions, set ${network.toUpperCase()}_MEDIATOR_CHECKED_UNTIL to the newest of them, and restart`
}

/** Says how the watch over the mediator's account fares, before anything else is said of it. */
export const watchHealth = Effect.gen(function*() {
  const { alarm, blindFor } = yield* MediatorWatch
  const { network } = yield* NetworkSettings
  return (otherwise: Effect.Effect<ComponentHealth>): Effect.Effect<ComponentHealth> =>
    Effect.gen(function*() {
      const found = yield* alarm
      if (found !== null) return { status: "down", message: paused(found, network) }
      const seconds = yield* blindFor
      if (seconds === null) return yield* otherwise
      return {
        status: "up",
        message: `its transactions have been unwatched for ${seconds} seconds: the ledger API or the contract RPC fails`
      }
    })
})
