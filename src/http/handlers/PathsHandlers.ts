import { Effect } from "effect"
import { admittedRead } from "../../close/load/Admission.ts"
import { PathFinder } from "../../close/market/PathFinder.ts"
import { InvalidAmount } from "../../domain/failure/Input.ts"
import { soldAmount } from "../../domain/SoldAmount.ts"
import { Networks } from "../../Networks.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `paths`. */
export const paths = Effect.map(Networks, (networks): Handlers["paths"] => ({
  find: ({ path, urlParams: { amount, fromAsset, maxSlippageBps = 50 } }) => {
    const sold = soldAmount(fromAsset, amount)
    return sold === null
      ? Effect.fail(new InvalidAmount())
      : PathFinder.pipe(
        Effect.flatMap((finder) => finder.find(fromAsset, sold, maxSlippageBps)),
        Effect.map((found) => ({ path: found })),
        admittedRead,
        networks.on(path.network)
      )
  }
}))
