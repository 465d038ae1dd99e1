import { type Asset, xdr } from "@stellar/stellar-sdk"
import { lumen } from "../../ledger/Asset.ts"
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
  amm1ShareTokenHash,
  amm1ShareTokenTraits,
  boostFeedHash,
  concentratedKeys,
  concentratedPoolHash,
  constantProductKeys,
  constantProductPoolHash,
  gaugeConfigVal,
  gaugeHash,
  gaugeKeys,
  planeHash,
  poolEntry,
  poolKeys,
  poolsKey,
  rewardConfigVal,
  rewardDataVal,
  rewardKeys,
  routerHash,
  setCountKey,
  sharePoolKeys,
  sqrtPriceAt,
  stableKeys,
  stablePoolHash,
  tokensSalt,
  tokensSetKey
} from "../contracts/Amm1.ts"
import { contractEntries, dataEntries } from "../contracts/Deployment.ts"
import { tokenStorage } from "../contracts/Token.ts"
import { amm1Contract, amm1ContractsAt } from "./Amm1Contracts.ts"

type Storage = ReadonlyArray<readonly [key: xdr.ScVal, val: xdr.ScVal]>

const { boostFeed, concentrated, constantProduct, constantProductShare, gauge, plane, router, stable, stableShare } = amm1ContractsAt

/** Ledgers everything deployed lives without being used. */
const life = 2_000_000
const month = 2_592_000n

/** Base units a second of the tokens of rewards, and what is there to pay them. */
const poolTps = 100_000n
const gaugeTps = 10_000n
const funds = 200_000n * lumen

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
    amm1ShareTokenHash,
    tokenStorage(amm1ShareTokenTraits, { admin: pool, decimals: 7, name: string("Pool Share Token"), symbol: string("POOL") }),
    until
  )

const common = (aqua: xdr.ScAddress): Storage => [
  [poolKeys.router, addressVal(router)],
  [poolKeys.plane, addressVal(plane)],
  [rewardKeys.token, addressVal(aqua)],
  [rewardKeys.boostToken, addressVal(aqua)],
  [rewardKeys.boostFeed, addressVal(boostFeed)]
]

/** Rewards that have just begun and last a month. */
const rewarding = ({ header: { closeTime } }: LedgerState): Storage => [
  [rewardKeys.config, rewardConfigVal({ tps: poolTps, expiredAt: closeTime + month })],
  [rewardKeys.data, rewardDataVal({ accumulated: 0n, block: 0n, claimed: 0n, lastTime: closeTime })]
]

const constantProductStorage = ([a, b]: ReadonlyArray<xdr.ScVal>, share: xdr.ScAddress): Storage => [
  [constantProductKeys.tokenA, a ?? xdr.ScVal.scvVoid()],
  [constantProductKeys.tokenB, b ?? xdr.ScVal.scvVoid()],
  [constantProductKeys.reserveA, u128(0n)],
  [constantProductKeys.reserveB, u128(0n)],
  [constantProductKeys.fee, u32(30)],
  [sharePoolKeys.protocolFeeFraction, u32(5_000)],
  [sharePoolKeys.share, addressVal(share)],
  [sharePoolKeys.totalShares, u128(0n)]
]

const stableStorage = (tokens: ReadonlyArray<xdr.ScVal>, share: xdr.ScAddress): Storage => [
  [stableKeys.tokens, vec(...tokens)],
  [stableKeys.reserves, vec(...tokens.map(() => u128(0n)))],
  [stableKeys.decimals, vec(...tokens.map(() => u32(7)))],
  [stableKeys.initialA, u128(750n)],
  [stableKeys.initialATime, u64(0n)],
  [stableKeys.futureA, u128(750n)],
  [stableKeys.futureATime, u64(0n)],
  [stableKeys.fee, u32(10)],
  [sharePoolKeys.protocolFeeFraction, u32(5_000)],
  [sharePoolKeys.share, addressVal(share)],
  [sharePoolKeys.totalShares, u128(0n)]
]

const concentratedStorage = ([first, second]: ReadonlyArray<xdr.ScVal>): Storage => [
  [concentratedKeys.token0, first ?? xdr.ScVal.scvVoid()],
  [concentratedKeys.token1, second ?? xdr.ScVal.scvVoid()],
  [concentratedKeys.fee, u32(30)],
  [concentratedKeys.tickSpacing, i32(60)],
  [concentratedKeys.protocolFeeFraction, u32(5_000)],
  [concentratedKeys.protocolFees, struct({ token0: u128(0n), token1: u128(0n) })],
  [concentratedKeys.slot0, struct({ sqrt_price_x96: u256(sqrtPriceAt(0)), tick: i32(0) })],
  [concentratedKeys.feeGrowth0, u256(0n)],
  [concentratedKeys.feeGrowth1, u256(0n)]
]

const gaugeEntries = ({ header: { closeTime } }: LedgerState, token: xdr.ScAddress, until: number) =>
  contractEntries(gauge, gaugeHash, [
    [gaugeKeys.pool, addressVal(constantProduct)],
    [gaugeKeys.token, addressVal(token)],
    [gaugeKeys.configs, vec(gaugeConfigVal({ startAt: closeTime, expiredAt: closeTime + month, tps: gaugeTps }))]
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
  contractEntries(router, routerHash, [[setCountKey, u128(BigInt(count))], [poolKeys.plane, addressVal(plane)]], until)

const ownSets = 2

/**
 * A ledger with amm_1 deployed: a router with three empty pools. That of constant product has rewards in AQUA and a gauge that pays EURC,
 * the concentrated one has rewards in AQUA, the stable one has none.
 */
export const withAmm1 = (state: LedgerState, { aqua, eurc, native, usdc }: Amm1Assets, passphrase: string): LedgerState => {
  const until = state.header.ledgerSeq + life
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
    ...routerEntries(ownSets, until),
    ...setEntries(sets, 0, until),
    ...contractEntries(plane, planeHash, [], until),
    ...contractEntries(boostFeed, boostFeedHash, [], until),
    ...contractEntries(constantProduct, constantProductPoolHash, [
      ...common(reward),
      ...rewarding(state),
      ...constantProductStorage(pair, constantProductShare),
      [rewardKeys.gauges, mapOf([[addressVal(gaugeToken), addressVal(gauge)]])]
    ], until),
    ...contractEntries(stable, stablePoolHash, [...common(reward), ...stableStorage(par, stableShare)], until),
    ...contractEntries(concentrated, concentratedPoolHash, [...common(reward), ...rewarding(state), ...concentratedStorage(pair)], until),
    ...shareEntries(constantProductShare, constantProduct, until),
    ...shareEntries(stableShare, stable, until),
    ...gaugeEntries(state, gaugeToken, until),
    ...held(reward, constantProduct, funds, until),
    ...held(reward, concentrated, funds, until),
    ...held(gaugeToken, gauge, funds, until)
  ])
}

/** A ledger on which the router lists so many more pools, of tokens that no one has and that nothing was put into. */
export const withManyPools = (state: LedgerState, count: number): LedgerState => {
  const until = state.header.ledgerSeq + life
  const made = Array.from({ length: count }, (_, at) => {
    const [pool, share] = [amm1Contract(`pool ${at}`), amm1Contract(`share ${at}`)]
    const tokens = [addressVal(amm1Contract(`token ${at}`)), addressVal(amm1Contract(`other token ${at}`))].toSorted(compareValues)
    return { pool, share, tokens, pools: [poolEntry(indexOf(1), pool, "constant_product")] }
  })
  return state.set([
    ...routerEntries(ownSets + count, until),
    ...setEntries(made, ownSets, until),
    ...made.flatMap(({ pool, share, tokens }) => [
      ...contractEntries(pool, constantProductPoolHash, [...common(router), ...constantProductStorage(tokens, share)], until),
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
