import { Asset, Claimant, getLiquidityPoolId, LiquidityPoolAsset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Network } from "../Network.ts"
import { Amm1Market } from "./Amm1Market.ts"
import { takeAmm1Positions } from "./Amm1Positions.ts"
import { LendingAndVaults } from "./LendingAndVaults.ts"
import { PairsMarket, transferToken } from "./PairsMarket.ts"
import { equip } from "./PairsNewcomer.ts"
import { provideAssets } from "./PairsShares.ts"
import { perform } from "./Scenario.ts"
import { takeStakes } from "./StakedPools.ts"
import { STAKED_POOLS_CONTRACTS } from "./StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "./StakedPoolsMarket.ts"

/**
 * The richest account there is: positions in five protocols (a supply in a lending pool that is owed to a vault; shares and ranges; pairs;
 * shares and stakes), shares of a classic pool, an offer, a claimable balance, data, and the lines of all it trades.
 */
export const AllProtocols = Effect.gen(function*() {
  const { root } = yield* Network
  const lending = yield* LendingAndVaults
  const { issuer, lender, native, source, usdc } = lending
  const [pools, pairs, staked] = [yield* Amm1Market, yield* PairsMarket, yield* StakedPoolsMarket]
  yield* perform("the account is given lumens", {
    as: root,
    operations: [Operation.payment({ destination: source.publicKey(), asset: native, amount: "10000" })]
  })
  yield* takeAmm1Positions(pools, source)
  yield* equip(pairs, source)
  yield* provideAssets({ ...pairs, source })
  // What is no asset of the ledger has no way out yet: it is given back.
  yield* transferToken(
    "the account gives plain tokens back",
    source,
    { token: pairs.tokens.plain, amount: 100_000_000n },
    pairs.pairs.plainUsdc
  )
  const { five, six, stable } = STAKED_POOLS_CONTRACTS
  yield* takeStakes(staked, source, { pools: [five, six, stable], trusts: ({ pho, usdc: dollars }) => [dollars, pho] })
  const classic = new LiquidityPoolAsset(Asset.native(), usdc, 30)
  const poolId = Buffer.from(getLiquidityPoolId("constant_product", classic.getLiquidityPoolParameters())).toString("hex")
  const deposit = (maxAmountA: string, maxAmountB: string) =>
    Operation.liquidityPoolDeposit({ liquidityPoolId: poolId, maxAmountA, maxAmountB, minPrice: "0.001", maxPrice: "1000" })
  yield* perform("the lender opens a classic pool", {
    as: lender,
    operations: [Operation.changeTrust({ asset: classic }), deposit("10000", "1000")]
  })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: usdc, amount: "40" })]
  })
  yield* perform("the account has a bit of everything classic", {
    as: source,
    operations: [
      Operation.changeTrust({ asset: classic }),
      deposit("300", "30"),
      Operation.manageSellOffer({ selling: Asset.native(), buying: usdc, amount: "20", price: "0.05" }),
      Operation.manageData({ name: "profile", value: "an entry" })
    ]
  })
  yield* perform("somebody sets a claimable balance aside", {
    as: lender,
    operations: [Operation.createClaimableBalance({ asset: usdc, amount: "5", claimants: [new Claimant(source.publicKey())] })]
  })
  return { ...lending, pools, pairs, staked, classicPool: poolId }
})
