import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { PathFinder } from "../../close/read/PathFinder.ts"
import { Networks } from "../../Networks.ts"

/** Handlers of the group `paths`. */
export const layer = HttpApiBuilder.group(Api, "paths", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers.handle("find", ({ path, urlParams: { amount, fromAsset, maxSlippageBps = 50 } }) =>
      PathFinder.pipe(
        Effect.flatMap((finder) => finder.find(fromAsset, amount, maxSlippageBps)),
        Effect.map((found) => ({ path: found })),
        networks.on(path.network)
      ))))
