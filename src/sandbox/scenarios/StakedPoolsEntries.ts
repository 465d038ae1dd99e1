import { Asset, xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { addressOf, addressVal, i128, string, struct, u32, vec } from "../../ledger/soroban/Values.ts"
import {
  AMM_3_FACTORY_HASH,
  AMM_3_SHARE_TOKEN,
  AMM_3_SHARE_TOKEN_HASH,
  AMM_3_SIX_ARGUMENT_SHARE_TOKEN_HASH,
  AMM_3_STABLE_POOL_HASH,
  bondingVal,
  FIVE_ARGUMENT_POOL_HASH,
  HISTORY_STAKE_HASH,
  POINTS_STAKE_HASH,
  POOL_CONFIG,
  POOL_LIST,
  RESERVE_A,
  RESERVE_B,
  SIX_ARGUMENT_POOL_HASH,
  STAKE_CONFIG,
  TOTAL_SHARES,
  TOTAL_STAKED,
  TOTAL_STAKED_HISTORY
} from "../contracts/Amm3.ts"
import { contractEntries, dataEntries } from "../contracts/Deployment.ts"
import { tokenBalanceKey, tokenStorage } from "../contracts/Token.ts"
import { type PoolContracts, poolNamed, STAKED_POOLS_CONTRACTS } from "./StakedPoolsContracts.ts"

const { factory, five, six, stable } = STAKED_POOLS_CONTRACTS

export const UNIT = 10_000_000n
/** Ledgers everything deployed lives without being used. */
export const LIFE = 2_000_000

/** Shares of each pool, all of the provider's, of which half are bonded; base units. */
export const ALL_SHARES = 1_000_000n * UNIT
export const PROVIDER_BONDED = ALL_SHARES / 2n

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
const CODE = {
  five: [FIVE_ARGUMENT_POOL_HASH, AMM_3_SHARE_TOKEN_HASH, HISTORY_STAKE_HASH],
  six: [SIX_ARGUMENT_POOL_HASH, AMM_3_SIX_ARGUMENT_SHARE_TOKEN_HASH, POINTS_STAKE_HASH],
  stable: [AMM_3_STABLE_POOL_HASH, AMM_3_SHARE_TOKEN_HASH, HISTORY_STAKE_HASH]
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

interface Setting {
  readonly until: number
  readonly passphrase: string
  readonly provider: xdr.ScAddress
}

const poolEntries = ({ assets, kind, pool, reserves, shareToken, stake }: PoolPlan, { passphrase, provider, until }: Setting) => {
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
      POOL_CONFIG,
      struct(kind === "stable" ? { ...settings, default_slippage_bps: i64(100n) } : { ...settings, max_referral_bps: i64(0n) })
    ],
    [TOTAL_SHARES, i128(ALL_SHARES)],
    [RESERVE_A, i128(reserves[0] * UNIT)],
    [RESERVE_B, i128(reserves[1] * UNIT)]
  ] as const
  const [code] = CODE[kind]
  return kind === "stable"
    ? contractEntries(pool, code, storage, until)
    : [...contractEntries(pool, code, [], until), ...storage.flatMap((each) => dataEntries(pool, each, "persistent", until))]
}

const shareEntries = ({ kind, pool, shareToken, stake }: PoolPlan, { provider, until }: Setting) => {
  const storage = tokenStorage(AMM_3_SHARE_TOKEN, { admin: pool, decimals: 7, name: string(`${kind} LP`), symbol: string("LP") })
  return [
    ...contractEntries(shareToken, CODE[kind][1], storage, until),
    ...([[provider, ALL_SHARES - PROVIDER_BONDED], [stake, PROVIDER_BONDED]] as const).flatMap(([holder, amount]) =>
      dataEntries(shareToken, [tokenBalanceKey(holder), i128(amount)], "persistent", until)
    )
  ]
}

const stakeEntries = ({ kind, shareToken, stake }: PoolPlan, { provider, until }: Setting) => [
  ...contractEntries(stake, CODE[kind][2], [], until),
  ...([
    [
      STAKE_CONFIG,
      struct({
        lp_token: addressVal(shareToken),
        manager: addressVal(provider),
        max_complexity: u32(7),
        min_bond: i128(1n),
        min_reward: i128(1n),
        owner: addressVal(factory)
      })
    ],
    [TOTAL_STAKED, i128(PROVIDER_BONDED)],
    [TOTAL_STAKED_HISTORY, struct({})],
    [
      addressVal(provider),
      bondingVal({ stakes: [{ amount: PROVIDER_BONDED, timestamp: 0n }], totalStake: PROVIDER_BONDED, lastRewardTime: 0n, rewardDebt: 0n })
    ]
  ] as const).flatMap((each) => dataEntries(stake, each, "persistent", until))
]

const listEntry = (plans: ReadonlyArray<PoolPlan>, until: number) =>
  dataEntries(factory, [POOL_LIST, vec(...plans.map(({ pool }) => addressVal(pool)))], "persistent", until)

const planEntries = (plan: PoolPlan, setting: Setting) => [
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
  const until = state.header.ledgerSeq + LIFE
  const setting = { until, passphrase, provider }
  const plans = plansFor(assets)
  return state.set([
    ...contractEntries(factory, AMM_3_FACTORY_HASH, [], until),
    ...listEntry(plans, until),
    ...plans.flatMap((plan) => planEntries(plan, setting))
  ])
}

/** A ledger on which the factory lists so many pools beyond its three, all shares of which are the provider's; their tokens know nothing of what they hold. */
export const withManyStakedPools = (
  state: LedgerState,
  { assets, count, passphrase, provider }: Omit<Setting, "until"> & { readonly assets: StakedPoolsAssets; readonly count: number }
): LedgerState => {
  const setting = { until: state.header.ledgerSeq + LIFE, passphrase, provider }
  const more = morePlans(assets, count)
  return state.set([...listEntry([...plansFor(assets), ...more], setting.until), ...more.flatMap((plan) => planEntries(plan, setting))])
}

/** What the pools hold, as their contracts' tokens have it. */
export const reservesOf = (assets: StakedPoolsAssets) =>
  plansFor(assets).flatMap(({ assets: [tokenA, tokenB], pool, reserves }) => [
    { pool, asset: tokenA, amount: reserves[0] * UNIT },
    { pool, asset: tokenB, amount: reserves[1] * UNIT }
  ])
