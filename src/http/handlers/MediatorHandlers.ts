import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { MediatorBody } from "../../api/MediatorBody.ts"
import { Mediator } from "../../close/mediator/Mediator.ts"
import { Networks } from "../../Networks.ts"
import { withBody } from "../request/Body.ts"

/** Handlers of the group `mediator`. */
export const layer = HttpApiBuilder.group(Api, "mediator", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers.handleRaw(
      "sign",
      withBody(MediatorBody, ({ path, payload }) =>
        Mediator.pipe(
          Effect.flatMap(({ sign }) => sign(payload.transaction)),
          Effect.map((transaction) => ({ transaction })),
          networks.on(path.network)
        ))
    )))
