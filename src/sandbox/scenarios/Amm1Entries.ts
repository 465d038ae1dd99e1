import { type Asset, xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { balanceKey } from "../../ledger/soroban/AssetBalance.ts"
import {
  addressOf,
  addressVal,
  bool,
  compareValues,
  i128,
  i32,
  mapOf,
  string,
  struct,
  u128,
  u256,
  u32,
  u64,
  vec
} from "../../ledger/soroban/Values.ts"
import { keyOfInstance } from "../../xdr/LedgerKeys.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import {
  AMM_1_SHARE_TOKEN,
  AMM_1_SHARE_TOKEN_HASH,
  BOOST_FEED_HASH,
  CONCENTRATED,
  CONCENTRATED_POOL_HASH,
  CONSTANT_PRODUCT,
  CONSTANT_PRODUCT_POOL_HASH,
  GAUGE,
  GAUGE_HASH,
  gaugeConfigVal,
  PLANE_HASH,
  POOL,
  poolEntry,
  poolsKey,
  rewardConfigVal,
  rewardDataVal,
  REWARDS,
  ROUTER_HASH,
  SETS,
  SHARE_POOL,
  sqrtPriceAt,
  STABLE,
  STABLE_POOL_HASH,
  tokensSalt,
  tokensSetKey
} from "../contracts/Amm1.ts"
import { contractEntries, dataEntries } from "../contracts/Deployment.ts"
import { tokenStorage } from "../contracts/Token.ts"
import { amm1Contract, AMM_1_CONTRACTS_AT } from "./Amm1Contracts.ts"

type Storage = ReadonlyArray<readonly [key: xdr.ScVal, val: xdr.ScVal]>

const { boostFeed, concentrated, constantProduct, constantProductShare, gauge, plane, router, stable, stableShare } = AMM_1_CONTRACTS_AT

const STROOPS = 10_000_000n
/** Ledgers everything deployed lives without being used. */
const LIFE = 2_000_000
const MONTH = 2_592_000n

/** Base units a second of the tokens of rewards, and what is there to pay them. */
const POOL_TPS = 100_000n
const GAUGE_TPS = 10_000n
const FUNDS = 200_000n * STROOPS

/** What is traded, and the tokens that rewards are paid in. */
export interface Amm1Assets {
  readonly native: Asset
  readonly usdc: Asset
  readonly eurc: Asset
  readonly aqua: Asset
}

/** Tokens of some assets as a pool orders them. */
export const poolTokensOf = (passphrase: string, ...assets: ReadonlyArray<Asset>): ReadonlyArray<xdr.ScVal> =>
  assets.map((asset) => addressVal(addressOf(asset.contractId(passphrase)))).toSorted(compareValues)

/** What an asset's contract keeps for a holder that is a contract itself. */
const held = (token: xdr.ScAddress, holder: xdr.ScAddress, amount: bigint, until: number) =>
  dataEntries(
    token,
    [balanceKey(holder), struct({ amount: i128(amount), authorized: bool(true), clawback: bool(false) })],
    "persistent",
    until
  )

const shareEntries = (share: xdr.ScAddress, pool: xdr.ScAddress, until: number) =>
  contractEntries(
    share,
    AMM_1_SHARE_TOKEN_HASH,
    tokenStorage(AMM_1_SHARE_TOKEN, { admin: pool, decimals: 7, name: string("Pool Share Token"), symbol: string("POOL") }),
    until
  )

const common = (aqua: xdr.ScAddress): Storage => [
  [POOL.router, addressVal(router)],
  [POOL.plane, addressVal(plane)],
  [REWARDS.token, addressVal(aqua)],
  [REWARDS.boostToken, addressVal(aqua)],
  [REWARDS.boostFeed, addressVal(boostFeed)]
]

/** Rewards that have just begun and last a month. */
const rewarding = ({ header: { closeTime } }: LedgerState): Storage => [
  [REWARDS.config, rewardConfigVal({ tps: POOL_TPS, expiredAt: closeTime + MONTH })],
  [REWARDS.data, rewardDataVal({ accumulated: 0n, block: 0n, claimed: 0n, lastTime: closeTime })]
]

const constantProductStorage = ([a, b]: ReadonlyArray<xdr.ScVal>, share: xdr.ScAddress): Storage => [
  [CONSTANT_PRODUCT.tokenA, a ?? xdr.ScVal.scvVoid()],
  [CONSTANT_PRODUCT.tokenB, b ?? xdr.ScVal.scvVoid()],
  [CONSTANT_PRODUCT.reserveA, u128(0n)],
  [CONSTANT_PRODUCT.reserveB, u128(0n)],
  [CONSTANT_PRODUCT.fee, u32(30)],
  [SHARE_POOL.protocolFeeFraction, u32(5_000)],
  [SHARE_POOL.share, addressVal(share)],
  [SHARE_POOL.totalShares, u128(0n)]
]

const stableStorage = (tokens: ReadonlyArray<xdr.ScVal>, share: xdr.ScAddress): Storage => [
  [STABLE.tokens, vec(...tokens)],
  [STABLE.reserves, vec(...tokens.map(() => u128(0n)))],
  [STABLE.decimals, vec(...tokens.map(() => u32(7)))],
  [STABLE.initialA, u128(750n)],
  [STABLE.initialATime, u64(0n)],
  [STABLE.futureA, u128(750n)],
  [STABLE.futureATime, u64(0n)],
  [STABLE.fee, u32(10)],
  [SHARE_POOL.protocolFeeFraction, u32(5_000)],
  [SHARE_POOL.share, addressVal(share)],
  [SHARE_POOL.totalShares, u128(0n)]
]

const concentratedStorage = ([first, second]: ReadonlyArray<xdr.ScVal>): Storage => [
  [CONCENTRATED.token0, first ?? xdr.ScVal.scvVoid()],
  [CONCENTRATED.token1, second ?? xdr.ScVal.scvVoid()],
  [CONCENTRATED.fee, u32(30)],
  [CONCENTRATED.tickSpacing, i32(60)],
  [CONCENTRATED.protocolFeeFraction, u32(5_000)],
  [CONCENTRATED.protocolFees, struct({ token0: u128(0n), token1: u128(0n) })],
  [CONCENTRATED.slot0, struct({ sqrt_price_x96: u256(sqrtPriceAt(0)), tick: i32(0) })],
  [CONCENTRATED.feeGrowth0, u256(0n)],
  [CONCENTRATED.feeGrowth1, u256(0n)]
]

const gaugeEntries = ({ header: { closeTime } }: LedgerState, token: xdr.ScAddress, until: number) =>
  contractEntries(gauge, GAUGE_HASH, [
    [GAUGE.pool, addressVal(constantProduct)],
    [GAUGE.token, addressVal(token)],
    [GAUGE.configs, vec(gaugeConfigVal({ startAt: closeTime, expiredAt: closeTime + MONTH, tps: GAUGE_TPS }))]
  ], until)

/** Pools of one set of tokens. */
interface PoolSet {
  readonly tokens: ReadonlyArray<xdr.ScVal>
  readonly pools: ReadonlyArray<ReturnType<typeof poolEntry>>
}

const indexOf = (number: number): Uint8Array => new Uint8Array(32).fill(number)

const setEntries = (sets: ReadonlyArray<PoolSet>, from: number, until: number) =>
  sets.flatMap(({ pools, tokens }, at) => [
    ...dataEntries(router, [tokensSetKey(BigInt(from + at)), vec(...tokens)], "persistent", until),
    ...dataEntries(router, [poolsKey(tokensSalt(tokens)), mapOf(pools)], "persistent", until)
  ])

const routerEntries = (count: number, until: number) =>
  contractEntries(router, ROUTER_HASH, [[SETS, u128(BigInt(count))], [POOL.plane, addressVal(plane)]], until)

const OWN_SETS = 2

/**
 * A ledger with amm_1 deployed: a router with three empty pools. That of constant product has rewards in AQUA and a gauge that pays EURC,
 * the concentrated one has rewards in AQUA, the stable one has none.
 */
export const withAmm1 = (state: LedgerState, { aqua, eurc, native, usdc }: Amm1Assets, passphrase: string): LedgerState => {
  const until = state.header.ledgerSeq + LIFE
  const addressFor = (asset: Asset): xdr.ScAddress => addressOf(asset.contractId(passphrase))
  const [reward, gaugeToken] = [addressFor(aqua), addressFor(eurc)]
  const [pair, par] = [poolTokensOf(passphrase, native, usdc), poolTokensOf(passphrase, usdc, eurc)]
  const sets: ReadonlyArray<PoolSet> = [
    {
      tokens: pair,
      pools: [poolEntry(indexOf(1), constantProduct, "constant_product"), poolEntry(indexOf(2), concentrated, "concentrated")]
    },
    { tokens: par, pools: [poolEntry(indexOf(3), stable, "stable")] }
  ]
  return state.set([
    ...routerEntries(OWN_SETS, until),
    ...setEntries(sets, 0, until),
    ...contractEntries(plane, PLANE_HASH, [], until),
    ...contractEntries(boostFeed, BOOST_FEED_HASH, [], until),
    ...contractEntries(constantProduct, CONSTANT_PRODUCT_POOL_HASH, [
      ...common(reward),
      ...rewarding(state),
      ...constantProductStorage(pair, constantProductShare),
      [REWARDS.gauges, mapOf([[addressVal(gaugeToken), addressVal(gauge)]])]
    ], until),
    ...contractEntries(stable, STABLE_POOL_HASH, [...common(reward), ...stableStorage(par, stableShare)], until),
    ...contractEntries(concentrated, CONCENTRATED_POOL_HASH, [...common(reward), ...rewarding(state), ...concentratedStorage(pair)], until),
    ...shareEntries(constantProductShare, constantProduct, until),
    ...shareEntries(stableShare, stable, until),
    ...gaugeEntries(state, gaugeToken, until),
    ...held(reward, constantProduct, FUNDS, until),
    ...held(reward, concentrated, FUNDS, until),
    ...held(gaugeToken, gauge, FUNDS, until)
  ])
}

/** A ledger on which the router lists so many more pools, of tokens that nobody has and that nothing was put into. */
export const withManyPools = (state: LedgerState, count: number): LedgerState => {
  const until = state.header.ledgerSeq + LIFE
  const made = Array.from({ length: count }, (_, at) => {
    const [pool, share] = [amm1Contract(`pool ${at}`), amm1Contract(`share ${at}`)]
    const tokens = [addressVal(amm1Contract(`token ${at}`)), addressVal(amm1Contract(`other token ${at}`))].toSorted(compareValues)
    return { pool, share, tokens, pools: [poolEntry(indexOf(1), pool, "constant_product")] }
  })
  return state.set([
    ...routerEntries(OWN_SETS + count, until),
    ...setEntries(made, OWN_SETS, until),
    ...made.flatMap(({ pool, share, tokens }) => [
      ...contractEntries(pool, CONSTANT_PRODUCT_POOL_HASH, [...common(router), ...constantProductStorage(tokens, share)], until),
      ...shareEntries(share, pool, until)
    ])
  ])
}

/** A ledger on which the instance of a contract keeps something else under some keys. */
export const withInstanceValues = (
  state: LedgerState,
  contract: xdr.ScAddress,
  change: (storage: Map<string, xdr.ScVal>) => void
): LedgerState => {
  const entry = state.get(keyOfInstance(contract))
  if (entry?.data.type !== "contractData" || entry.data.contractData.val.type !== "scvContractInstance") return state
  const { contractData } = entry.data
  const { executable, storage } = entry.data.contractData.val.instance
  const values = new Map((storage ?? []).map(({ key: name, val }) => [xdrBase64(name), val]))
  change(values)
  const map = mapOf([...values].map(([name, val]) => [xdr.ScVal.fromXdr(name, "base64"), val] as const))
  const instance = new xdr.ScContractInstance({ executable, storage: map.type === "scvMap" ? map.map : null })
  return state.set([
    new xdr.LedgerEntry({
      ...entry,
      data: xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ...contractData, val: xdr.ScVal.scvContractInstance(instance) }))
    })
  ])
}
