import { Asset, xdr } from "@stellar/stellar-sdk"
import { lumen } from "../../ledger/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { addressOf, addressVal, i128, string, struct, u32, vec } from "../../ledger/soroban/Values.ts"
import {
  amm3FactoryHash,
  amm3ShareTokenHash,
  amm3ShareTokenTraits,
  amm3SixArgumentShareTokenHash,
  amm3StablePoolHash,
  bondingVal,
  fiveArgumentPoolHash,
  historyStakeHash,
  pointsStakeHash,
  poolConfigKey,
  poolListKey,
  reserveAKey,
  reserveBKey,
  sixArgumentPoolHash,
  stakeConfigKey,
  totalSharesKey,
  totalStakedHistoryKey,
  totalStakedKey
} from "../contracts/Amm3.ts"
import { contractEntries, dataEntries } from "../contracts/Deployment.ts"
import { tokenBalanceKey, tokenStorage } from "../contracts/Token.ts"
import { type PoolContracts, poolNamed, stakedPoolsContracts } from "./StakedPoolsContracts.ts"

const { factory, five, six, stable } = stakedPoolsContracts

/** Ledgers everything deployed lives without being used. */
export const life = 2_000_000

/** Shares of each pool, all of the provider's, of which half are bonded; base units. */
export const allShares = 1_000_000n * lumen
export const providerBonded = allShares / 2n

/** What pools hold and rewards are paid in. */
export interface StakedPoolsAssets {
  readonly usdc: Asset
  readonly pho: Asset
}

interface PoolPlan extends PoolContracts {
  readonly kind: "five" | "six" | "stable"
  readonly assets: readonly [Asset, Asset]
  /** Whole units. */
  readonly reserves: readonly [bigint, bigint]
}

/** Hashes of pool, share token and stake of each kind. */
const codeHashes = {
  five: [fiveArgumentPoolHash, amm3ShareTokenHash, historyStakeHash],
  six: [sixArgumentPoolHash, amm3SixArgumentShareTokenHash, pointsStakeHash],
  stable: [amm3StablePoolHash, amm3ShareTokenHash, historyStakeHash]
} as const

const plansFor = ({ pho, usdc }: StakedPoolsAssets): ReadonlyArray<PoolPlan> => [
  { ...five, kind: "five", assets: [Asset.native(), usdc], reserves: [1_000_000n, 100_000n] },
  { ...six, kind: "six", assets: [pho, usdc], reserves: [200_000n, 200_000n] },
  { ...stable, kind: "stable", assets: [usdc, pho], reserves: [300_000n, 300_000n] }
]

/** More pools of the first kind. */
const morePlans = ({ usdc }: StakedPoolsAssets, count: number): ReadonlyArray<PoolPlan> =>
  Array.from({ length: count }, (_, at) => ({
    ...poolNamed(`further ${at}`),
    kind: "five",
    assets: [Asset.native(), usdc],
    reserves: [1_000_000n, 100_000n]
  }))

const i64 = (value: bigint): xdr.ScVal => xdr.ScVal.scvI64(value)

export const tokenOf = (asset: Asset, passphrase: string): xdr.ScAddress => addressOf(asset.contractId(passphrase))

interface DeploymentOptions {
  readonly until: number
  readonly passphrase: string
  readonly provider: xdr.ScAddress
}

const poolEntries = ({ assets, kind, pool, reserves, shareToken, stake }: PoolPlan, { passphrase, provider, until }: DeploymentOptions) => {
  const [tokenA, tokenB] = assets
  const settings = {
    fee_recipient: addressVal(provider),
    max_allowed_slippage_bps: i64(500n),
    max_allowed_spread_bps: i64(500n),
    pool_type: u32(kind === "stable" ? 1 : 0),
    share_token: addressVal(shareToken),
    stake_contract: addressVal(stake),
    token_a: addressVal(tokenOf(tokenA, passphrase)),
    token_b: addressVal(tokenOf(tokenB, passphrase)),
    total_fee_bps: i64(30n)
  }
  const storage = [
    [
      poolConfigKey,
      struct(kind === "stable" ? { ...settings, default_slippage_bps: i64(100n) } : { ...settings, max_referral_bps: i64(0n) })
    ],
    [totalSharesKey, i128(allShares)],
    [reserveAKey, i128(reserves[0] * lumen)],
    [reserveBKey, i128(reserves[1] * lumen)]
  ] as const
  const [code] = codeHashes[kind]
  return kind === "stable"
    ? contractEntries(pool, code, storage, until)
    : [...contractEntries(pool, code, [], until), ...storage.flatMap((each) => dataEntries(pool, each, "persistent", until))]
}

const shareEntries = ({ kind, pool, shareToken, stake }: PoolPlan, { provider, until }: DeploymentOptions) => {
  const storage = tokenStorage(amm3ShareTokenTraits, { admin: pool, decimals: 7, name: string(`${kind} LP`), symbol: string("LP") })
  return [
    ...contractEntries(shareToken, codeHashes[kind][1], storage, until),
    ...([[provider, allShares - providerBonded], [stake, providerBonded]] as const).flatMap(([holder, amount]) =>
      dataEntries(shareToken, [tokenBalanceKey(holder), i128(amount)], "persistent", until)
    )
  ]
}

const stakeEntries = ({ kind, shareToken, stake }: PoolPlan, { provider, until }: DeploymentOptions) => [
  ...contractEntries(stake, codeHashes[kind][2], [], until),
  ...([
    [
      stakeConfigKey,
      struct({
        lp_token: addressVal(shareToken),
        manager: addressVal(provider),
        max_complexity: u32(7),
        min_bond: i128(1n),
        min_reward: i128(1n),
        owner: addressVal(factory)
      })
    ],
    [totalStakedKey, i128(providerBonded)],
    [totalStakedHistoryKey, struct({})],
    [
      addressVal(provider),
      bondingVal({ stakes: [{ amount: providerBonded, timestamp: 0n }], totalStake: providerBonded, lastRewardTime: 0n, rewardDebt: 0n })
    ]
  ] as const).flatMap((each) => dataEntries(stake, each, "persistent", until))
]

const listEntry = (plans: ReadonlyArray<PoolPlan>, until: number) =>
  dataEntries(factory, [poolListKey, vec(...plans.map(({ pool }) => addressVal(pool)))], "persistent", until)

const planEntries = (plan: PoolPlan, setting: DeploymentOptions) => [
  ...poolEntries(plan, setting),
  ...shareEntries(plan, setting),
  ...stakeEntries(plan, setting)
]

/** A ledger with amm_3 deployed: a factory and its three pools, all shares of which are a provider's, half of them bonded. */
export const withStakedPools = (
  state: LedgerState,
  assets: StakedPoolsAssets,
  provider: xdr.ScAddress,
  passphrase: string
): LedgerState => {
  const until = state.header.ledgerSeq + life
  const setting = { until, passphrase, provider }
  const plans = plansFor(assets)
  return state.set([
    ...contractEntries(factory, amm3FactoryHash, [], until),
    ...listEntry(plans, until),
    ...plans.flatMap((plan) => planEntries(plan, setting))
  ])
}

/** A ledger on which the factory lists so many pools beyond its three, all shares of which are the provider's; their tokens know nothing of what they hold. */
export const withManyStakedPools = (
  state: LedgerState,
  { assets, count, passphrase, provider }: Omit<DeploymentOptions, "until"> & { readonly assets: StakedPoolsAssets; readonly count: number }
): LedgerState => {
  const setting = { until: state.header.ledgerSeq + life, passphrase, provider }
  const more = morePlans(assets, count)
  return state.set([...listEntry([...plansFor(assets), ...more], setting.until), ...more.flatMap((plan) => planEntries(plan, setting))])
}

/** What the pools hold, as their contracts' tokens have it. */
export const reservesOf = (assets: StakedPoolsAssets) =>
  plansFor(assets).flatMap(({ assets: [tokenA, tokenB], pool, reserves }) => [
    { pool, asset: tokenA, amount: reserves[0] * lumen },
    { pool, asset: tokenB, amount: reserves[1] * lumen }
  ])
