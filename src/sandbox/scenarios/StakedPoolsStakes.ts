import type { xdr } from "@stellar/stellar-sdk"
import { lumen } from "../../ledger/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { addressVal, i128, mapOf, struct, u128, u64, vec } from "../../ledger/soroban/Values.ts"
import {
  bondingVal,
  distributionKey,
  distributionsKey,
  rewardHistoryKey,
  type Stake,
  totalStakedHistoryKey,
  totalStakedKey
} from "../contracts/Amm3.ts"
import { dataEntries } from "../contracts/Deployment.ts"
import { tokenBalanceKey } from "../contracts/Token.ts"
import { type PoolContracts, stakedPoolsContracts } from "./StakedPoolsContracts.ts"
import { allShares, life, providerBonded, type StakedPoolsAssets, tokenOf } from "./StakedPoolsEntries.ts"

const { five, six, stable } = stakedPoolsContracts

const daySeconds = 86_400n

/** Whole rewards that were paid in for all who had bonded, ten days ago. */
const distributed = { pho: 10_000n, usdc: 1_000n } as const

/** What a point of the newer stake is worth: six base units, times two to the 32nd. */
const pointWorth = 6n << 32n

/** What someone has of a pool, in whole shares: free ones, and stakes with their age in days. */
interface Holding {
  readonly contracts: PoolContracts
  readonly free: bigint
  readonly staked: ReadonlyArray<readonly [shares: bigint, days: bigint]>
}

const poolHoldings: ReadonlyArray<Holding> = [
  { contracts: five, free: 1_000n, staked: [[300n, 40n], [200n, 20n]] },
  { contracts: six, free: 0n, staked: [[500n, 30n]] },
  { contracts: stable, free: 400n, staked: [[100n, 5n]] }
]

const stakesOf = ({ staked }: Holding, now: bigint): ReadonlyArray<Stake> =>
  staked.map(([shares, days]) => ({ amount: shares * lumen, timestamp: now - days * daySeconds }))

const totalOf = (holding: Holding): bigint => stakesOf(holding, 0n).reduce((sum, { amount }) => sum + amount, 0n)

/** Who has stakes, beside the provider that has all other shares. */
interface StakeOwners {
  readonly user: xdr.ScAddress
  readonly provider: xdr.ScAddress
}

const holdingEntries = (holding: Holding, { provider, user }: StakeOwners, now: bigint, until: number) => {
  const { contracts: { shareToken, stake }, free } = holding
  const total = totalOf(holding)
  const shares = [
    [user, free * lumen],
    [stake, providerBonded + total],
    [provider, allShares - providerBonded - free * lumen - total]
  ] as const
  const bonding = { stakes: stakesOf(holding, now), totalStake: total, lastRewardTime: 0n, rewardDebt: 0n }
  return [
    ...shares.flatMap(([holder, amount]) => dataEntries(shareToken, [tokenBalanceKey(holder), i128(amount)], "persistent", until)),
    ...dataEntries(stake, [totalStakedKey, i128(providerBonded + total)], "persistent", until),
    ...dataEntries(stake, [addressVal(user), bondingVal(bonding)], "persistent", until)
  ]
}

const historyEntries = (pho: xdr.ScAddress, usdc: xdr.ScAddress, at: bigint, until: number) =>
  ([
    [distributionsKey, vec(addressVal(pho), addressVal(usdc))],
    [rewardHistoryKey(pho), mapOf([[u64(at), u128(distributed.pho * lumen)]])],
    [rewardHistoryKey(usdc), mapOf([[u64(at), u128(distributed.usdc * lumen)]])],
    [totalStakedHistoryKey, mapOf([[u64(at), u128(providerBonded + 500n * lumen)]])]
  ] as const).flatMap((each) => dataEntries(five.stake, each, "persistent", until))

const pointEntries = (pho: xdr.ScAddress, until: number) =>
  ([
    [distributionsKey, vec(addressVal(pho))],
    [
      distributionKey(pho),
      struct({
        bonus_per_day_bps: u64(0n),
        distributed_total: u128(distributed.pho * lumen),
        max_bonus_bps: u64(0n),
        shares_leftover: u64(0n),
        shares_per_point: u128(pointWorth),
        withdrawable_total: u128(distributed.pho * lumen)
      })
    ]
  ] as const).flatMap((each) => dataEntries(six.stake, each, "persistent", until))

/** Rewards paid in, which the stakes hold. */
export const rewardsOf = ({ pho, usdc }: StakedPoolsAssets) => [
  { stake: five.stake, asset: pho, amount: distributed.pho * lumen },
  { stake: five.stake, asset: usdc, amount: distributed.usdc * lumen },
  { stake: six.stake, asset: pho, amount: distributed.pho * lumen }
]

/** Who gets stakes, in which pools. */
interface Staking extends StakeOwners {
  readonly assets: StakedPoolsAssets
  readonly passphrase: string
  readonly pools: ReadonlyArray<PoolContracts>
}

/**
 * A ledger on which an account has shares of pools and stakes of different ages, with rewards due: in PHO and USDC for those of
 * the first pool, in PHO for that of the second.
 */
export const withStakes = (
  state: LedgerState,
  { assets: { pho, usdc }, passphrase, pools, ...people }: Staking
): LedgerState => {
  const { closeTime, ledgerSeq } = state.header
  const until = ledgerSeq + life
  const [phoToken, usdcToken] = [tokenOf(pho, passphrase), tokenOf(usdc, passphrase)]
  return state.set([
    ...poolHoldings.filter(({ contracts }) => pools.includes(contracts)).flatMap((holding) =>
      holdingEntries(holding, people, closeTime, until)
    ),
    ...historyEntries(phoToken, usdcToken, closeTime - 10n * daySeconds, until),
    ...pointEntries(phoToken, until)
  ])
}
