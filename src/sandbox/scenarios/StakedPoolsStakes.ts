import type { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { addressVal, i128, mapOf, struct, u128, u64, vec } from "../../ledger/soroban/Values.ts"
import {
  bondingVal,
  distributionKey,
  DISTRIBUTIONS,
  rewardHistoryKey,
  type Stake,
  TOTAL_STAKED,
  TOTAL_STAKED_HISTORY
} from "../contracts/Amm3.ts"
import { dataEntries } from "../contracts/Deployment.ts"
import { tokenBalanceKey } from "../contracts/Token.ts"
import { type PoolContracts, STAKED_POOLS_CONTRACTS } from "./StakedPoolsContracts.ts"
import { ALL_SHARES, LIFE, PROVIDER_BONDED, type StakedPoolsAssets, tokenOf, UNIT } from "./StakedPoolsEntries.ts"

const { five, six, stable } = STAKED_POOLS_CONTRACTS

const DAY = 86_400n

/** Whole rewards that were paid in for all who had bonded, ten days ago. */
const DISTRIBUTED = { pho: 10_000n, usdc: 1_000n } as const

/** What a point of the newer stake is worth: six base units, times two to the 32nd. */
const POINT_WORTH = 6n << 32n

/** What somebody has of a pool, in whole shares: free ones, and stakes with their age in days. */
interface Holding {
  readonly contracts: PoolContracts
  readonly free: bigint
  readonly staked: ReadonlyArray<readonly [shares: bigint, days: bigint]>
}

const HOLDINGS: ReadonlyArray<Holding> = [
  { contracts: five, free: 1_000n, staked: [[300n, 40n], [200n, 20n]] },
  { contracts: six, free: 0n, staked: [[500n, 30n]] },
  { contracts: stable, free: 400n, staked: [[100n, 5n]] }
]

const stakesOf = ({ staked }: Holding, now: bigint): ReadonlyArray<Stake> =>
  staked.map(([shares, days]) => ({ amount: shares * UNIT, timestamp: now - days * DAY }))

const totalOf = (holding: Holding): bigint => stakesOf(holding, 0n).reduce((sum, { amount }) => sum + amount, 0n)

/** Who has stakes, beside the provider that has all other shares. */
interface People {
  readonly user: xdr.ScAddress
  readonly provider: xdr.ScAddress
}

const holdingEntries = (holding: Holding, { provider, user }: People, now: bigint, until: number) => {
  const { contracts: { shareToken, stake }, free } = holding
  const total = totalOf(holding)
  const shares = [
    [user, free * UNIT],
    [stake, PROVIDER_BONDED + total],
    [provider, ALL_SHARES - PROVIDER_BONDED - free * UNIT - total]
  ] as const
  const bonding = { stakes: stakesOf(holding, now), totalStake: total, lastRewardTime: 0n, rewardDebt: 0n }
  return [
    ...shares.flatMap(([holder, amount]) => dataEntries(shareToken, [tokenBalanceKey(holder), i128(amount)], "persistent", until)),
    ...dataEntries(stake, [TOTAL_STAKED, i128(PROVIDER_BONDED + total)], "persistent", until),
    ...dataEntries(stake, [addressVal(user), bondingVal(bonding)], "persistent", until)
  ]
}

const historyEntries = (pho: xdr.ScAddress, usdc: xdr.ScAddress, at: bigint, until: number) =>
  ([
    [DISTRIBUTIONS, vec(addressVal(pho), addressVal(usdc))],
    [rewardHistoryKey(pho), mapOf([[u64(at), u128(DISTRIBUTED.pho * UNIT)]])],
    [rewardHistoryKey(usdc), mapOf([[u64(at), u128(DISTRIBUTED.usdc * UNIT)]])],
    [TOTAL_STAKED_HISTORY, mapOf([[u64(at), u128(PROVIDER_BONDED + 500n * UNIT)]])]
  ] as const).flatMap((each) => dataEntries(five.stake, each, "persistent", until))

const pointEntries = (pho: xdr.ScAddress, until: number) =>
  ([
    [DISTRIBUTIONS, vec(addressVal(pho))],
    [
      distributionKey(pho),
      struct({
        bonus_per_day_bps: u64(0n),
        distributed_total: u128(DISTRIBUTED.pho * UNIT),
        max_bonus_bps: u64(0n),
        shares_leftover: u64(0n),
        shares_per_point: u128(POINT_WORTH),
        withdrawable_total: u128(DISTRIBUTED.pho * UNIT)
      })
    ]
  ] as const).flatMap((each) => dataEntries(six.stake, each, "persistent", until))

/** Rewards paid in, which the stakes hold. */
export const rewardsOf = ({ pho, usdc }: StakedPoolsAssets) => [
  { stake: five.stake, asset: pho, amount: DISTRIBUTED.pho * UNIT },
  { stake: five.stake, asset: usdc, amount: DISTRIBUTED.usdc * UNIT },
  { stake: six.stake, asset: pho, amount: DISTRIBUTED.pho * UNIT }
]

/** Who gets stakes, in which pools. */
interface Staking extends People {
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
  const until = ledgerSeq + LIFE
  const [phoToken, usdcToken] = [tokenOf(pho, passphrase), tokenOf(usdc, passphrase)]
  return state.set([
    ...HOLDINGS.filter(({ contracts }) => pools.includes(contracts)).flatMap((holding) =>
      holdingEntries(holding, people, closeTime, until)
    ),
    ...historyEntries(phoToken, usdcToken, closeTime - 10n * DAY, until),
    ...pointEntries(phoToken, until)
  ])
}
