import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Destinations } from "../../close/read/Destinations.ts"
import { Networks } from "../../Networks.ts"

/** Handlers of the group `destinations`. */
export const layer = HttpApiBuilder.group(
  Api,
  "destinations",
  (handlers) =>
    Effect.map(
      Networks,
      (networks) =>
        handlers.handle("describe", ({ path }) =>
          Destinations.pipe(Effect.flatMap(({ describe }) => describe(path.address)), networks.on(path.network)))
    )
)
