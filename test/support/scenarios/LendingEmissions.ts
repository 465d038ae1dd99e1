import { Effect } from "effect"
import { Network } from "../../../src/sandbox/Network.ts"
import { type LendingAssets, withEmissions } from "../../../src/sandbox/scenarios/LendingEntries.ts"

const daySeconds = 86_400

/** A lending market gets a week's emissions, and this many days pass. */
export const emissionsFor = Effect.fnUntraced(function*(days: number, assets: LendingAssets) {
  const network = yield* Network
  yield* network.amend((state) => withEmissions(state, assets, network.passphrase))
  yield* network.closeLedger({ advanceSeconds: days * daySeconds })
})
