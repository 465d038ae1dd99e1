import { Effect } from "effect"
import { LendingDebt } from "./LendingDebt.ts"
import { emissionsFor } from "./LendingEmissions.ts"

/** An account that owes EURC against lumens, three days into emissions: interest and BLND have accrued. */
export const LendingRewards = Effect.gen(function*() {
  const scene = yield* LendingDebt
  yield* emissionsFor(3, scene.assets)
  return scene
})
