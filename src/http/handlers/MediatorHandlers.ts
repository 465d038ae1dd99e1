import { Effect } from "effect"
import { Mediator } from "../../close/mediator/Mediator.ts"
import { Networks } from "../../Networks.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `mediator`. */
export const mediator = Effect.map(Networks, (networks): Handlers["mediator"] => ({
  sign: ({ path, payload }) =>
    Mediator.pipe(
      Effect.flatMap(({ sign }) => sign(payload.transaction)),
      Effect.map((transaction) => ({ transaction })),
      networks.on(path.network)
    )
}))
