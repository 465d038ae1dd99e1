import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf } from "../../ledger/soroban/Values.ts"
import { Network } from "../Network.ts"
import { fund, perform } from "./Scenario.ts"
import { StakedPoolsMarket } from "./StakedPoolsMarket.ts"
import { withStakes } from "./StakedPoolsStakes.ts"

/**
 * An account of 5,000 lumens that has shares of three pools: 1,000 free and 500 in two stakes of the one whose withdrawal takes five
 * arguments, 500 in one stake of the one that takes six, 400 free and 100 staked of the stable one. It trusts what they pay.
 */
export const StakedPools = Effect.gen(function*() {
  const market = yield* StakedPoolsMarket
  const { amend, passphrase } = yield* Network
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("5000", source, destination)
  yield* perform("the account trusts USDC and PHO", {
    as: source,
    operations: [market.usdc, market.pho].map((asset) => Operation.changeTrust({ asset }))
  })
  const people = { user: addressOf(source.publicKey()), provider: addressOf(market.provider.publicKey()) }
  yield* amend((state) => withStakes(state, market.assets, people, passphrase))
  return { ...market, source, destination }
})
