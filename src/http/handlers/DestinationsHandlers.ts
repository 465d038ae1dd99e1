import { Effect } from "effect"
import { Destinations } from "../../close/read/Destinations.ts"
import { Networks } from "../../Networks.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `destinations`. */
export const destinations = Effect.map(Networks, (networks): Handlers["destinations"] => ({
  describe: ({ path }) => Destinations.pipe(Effect.flatMap(({ describe }) => describe(path.address)), networks.on(path.network))
}))
