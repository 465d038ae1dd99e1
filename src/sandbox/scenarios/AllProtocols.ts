import { Asset, Claimant, getLiquidityPoolId, LiquidityPoolAsset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { strkeyOf } from "../../ledger/soroban/Values.ts"
import { Network } from "../Network.ts"
import { Amm1Market } from "./Amm1Market.ts"
import { takeAmm1Positions } from "./Amm1Positions.ts"
import { LendingAndVaults } from "./LendingAndVaults.ts"
import { PairsMarket } from "./PairsMarket.ts"
import { equip } from "./PairsNewcomer.ts"
import { provideAssets } from "./PairsShares.ts"
import { perform } from "./Scenario.ts"
import { takeStakes } from "./StakedPools.ts"
import { stakedPoolsContracts } from "./StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "./StakedPoolsMarket.ts"
import { approveSpender } from "./Tokens.ts"

/** Ledgers for which an allowance is given: some five days. */
const allowedFor = 100_000

/**
 * The richest account there is: positions in five protocols (a supply in a lending pool that is owed to a vault; shares and ranges; pairs;
 * shares and stakes), a contract token and an allowance of it, shares of a classic pool, an offer, a claimable balance, data, and the lines of all
 * it trades.
 */
export const AllProtocols = Effect.gen(function*() {
  const { root, snapshot } = yield* Network
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
  // 100 of them are no asset of the ledger, and some of those someone may take.
  const { ledgerSeq } = (yield* snapshot).state.header
  const allowance = { owner: source, spender: lender.publicKey(), amount: 5_000_000n, liveUntil: ledgerSeq + allowedFor }
  yield* approveSpender(strkeyOf(pairs.tokens.plain), allowance)
  const { five, six, stable } = stakedPoolsContracts
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
