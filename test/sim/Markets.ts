import { Effect } from "effect"
import { LendingMarket } from "../../src/sandbox/scenarios/LendingMarket.ts"
import { StakedPoolsMarket } from "../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { VaultsMarket } from "../../src/sandbox/scenarios/VaultsMarket.ts"
import { marketsFor } from "../deep/support/campaign/Stage.ts"

/** Deploys every protocol, with its markets, on a network without contracts. */
export const everyMarket = Effect.gen(function*() {
  const markets = yield* marketsFor(true)
  return { ...markets, lending: yield* LendingMarket, vaults: yield* VaultsMarket, staked: yield* StakedPoolsMarket }
})

export type Markets = Effect.Effect.Success<typeof everyMarket>
