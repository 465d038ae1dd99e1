import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Mediator } from "../../close/mediator/Mediator.ts"
import { Networks } from "../../Networks.ts"

/** Handlers of the group `mediator`. */
export const layer = HttpApiBuilder.group(Api, "mediator", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers.handle("sign", ({ path, payload }) =>
      Mediator.pipe(
        Effect.flatMap((mediator) => mediator.sign(payload.transaction)),
        Effect.map((transaction) => ({ transaction })),
        networks.on(path.network)
      ))))
