import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { LendingMarket } from "../../src/sandbox/scenarios/LendingMarket.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { StakedPoolsMarket } from "../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { VaultsMarket } from "../../src/sandbox/scenarios/VaultsMarket.ts"
import { marketsFor } from "../deep/support/campaign/Stage.ts"

/** Buys USDC at the price of its market, as much as fifty accounts hold: an empty book would leave an owner nothing to agree to. */
const buyerOfAll = Effect.fnUntraced(function*(usdc: Asset) {
  const buyer = Keypair.random()
  yield* fund("600000", buyer)
  yield* perform("a line and an offer", {
    as: buyer,
    operations: [
      Operation.changeTrust({ asset: usdc }),
      Operation.manageSellOffer({ selling: Asset.native(), buying: usdc, amount: "550000", price: "0.1" })
    ]
  })
})

/** Deploys every protocol, with its markets, on a network without contracts. */
export const everyMarket = Effect.gen(function*() {
  const markets = yield* marketsFor(true)
  yield* buyerOfAll(markets.market.usdc)
  return { ...markets, lending: yield* LendingMarket, vaults: yield* VaultsMarket, staked: yield* StakedPoolsMarket }
})

export type Markets = Effect.Effect.Success<typeof everyMarket>
