import { type Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf } from "../../ledger/soroban/Values.ts"
import { Network } from "../Network.ts"
import { fund, perform } from "./Scenario.ts"
import { type PoolContracts, stakedPoolsContracts } from "./StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "./StakedPoolsMarket.ts"
import { withStakes } from "./StakedPoolsStakes.ts"

/** Where an account has stakes, and which assets of the market it trusts. */
interface StakerOf {
  readonly pools: ReadonlyArray<PoolContracts>
  readonly trusts: (assets: { readonly usdc: Asset; readonly pho: Asset }) => ReadonlyArray<Asset>
}

type Market = Effect.Effect.Success<typeof StakedPoolsMarket>

/** Gives an account shares and stakes of pools. */
export const takeStakes = Effect.fnUntraced(function*(market: Market, source: Keypair, { pools, trusts }: StakerOf) {
  const { amend, passphrase } = yield* Network
  yield* perform("the account trusts what it is paid", {
    as: source,
    operations: trusts(market).map((asset) => Operation.changeTrust({ asset }))
  })
  const people = { user: addressOf(source.publicKey()), provider: addressOf(market.provider.publicKey()) }
  yield* amend((state) => withStakes(state, { assets: market.assets, passphrase, pools, ...people }))
})

/** An account of 5,000 lumens, and a destination, in a market of pools. */
const stakerOf = Effect.fnUntraced(function*(staker: StakerOf) {
  const market = yield* StakedPoolsMarket
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("5000", source, destination)
  yield* takeStakes(market, source, staker)
  return { ...market, source, destination }
})

const { five, six, stable } = stakedPoolsContracts

/**
 * An account that has shares of three pools: 1,000 free and 500 in two stakes of the one whose withdrawal takes five arguments, 500 in one
 * stake of the one that takes six, 400 free and 100 staked of the stable one. It trusts what they pay.
 */
export const StakedPools = stakerOf({ pools: [five, six, stable], trusts: ({ pho, usdc }) => [usdc, pho] })

/** An account that has shares of the first of these pools alone, and does not trust PHO, in which some of its rewards are due. */
export const StakedWithoutPho = stakerOf({ pools: [five], trusts: ({ usdc }) => [usdc] })
