import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { admittedRead } from "../../close/load/Admission.ts"
import { PathFinder } from "../../close/market/PathFinder.ts"
import { InvalidAmount } from "../../domain/failure/Input.ts"
import { soldAmount } from "../../domain/SoldAmount.ts"
import { Networks } from "../../Networks.ts"

/** Handlers of the group `paths`. */
export const layer = HttpApiBuilder.group(
  Api,
  "paths",
  (handlers) =>
    Effect.map(Networks, (networks) =>
      handlers.handle("find", ({ path, urlParams: { amount, fromAsset, maxSlippageBps = 50 } }) => {
        const sold = soldAmount(fromAsset, amount)
        if (sold === null) return new InvalidAmount()
        return PathFinder.pipe(
          Effect.flatMap((finder) => finder.find(fromAsset, sold, maxSlippageBps)),
          Effect.map((found) => ({ path: found })),
          admittedRead,
          networks.on(path.network)
        )
      }))
)
