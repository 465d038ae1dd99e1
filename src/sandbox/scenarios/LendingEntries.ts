import { type Asset, xdr } from "@stellar/stellar-sdk"
import { lumen } from "../../ledger/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { allowanceKey } from "../../ledger/soroban/AssetAllowance.ts"
import { balanceKey } from "../../ledger/soroban/AssetBalance.ts"
import { addressOf, addressVal, bool, i128, string, struct, u32, u64, vec } from "../../ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../contracts/Deployment.ts"
import {
  backstopEmissionKey,
  backstopInstanceKeys,
  backstopV2Hash,
  cometBalanceKey,
  cometHash,
  cometInstanceKeys,
  deployedKey,
  emissionDataKey,
  emissionDataVal,
  oracleStorage,
  poolConfigVal,
  poolFactoryV2Hash,
  poolInstanceKeys,
  poolMetaKey,
  poolV2Hash,
  priceKey,
  priceOracleHash,
  priceTimeKey,
  priceVal,
  recordEntries,
  type ReserveConfig,
  reserveConfigKey,
  reserveConfigVal,
  reserveDataKey,
  reserveDataVal,
  reserveListKey,
  rewardZoneKey,
  totalSharesKey
} from "../contracts/Lend1.ts"
import { lendingContracts } from "./LendingContracts.ts"

const { backstop, comet, emitter, oracle, pool, poolFactory } = lendingContracts

const oneRate = 1_000_000_000_000n
/** Ledgers everything deployed lives without being used. */
const life = 2_000_000
const week = 604_800n

/** The assets lent, in the order of their indexes, and BLND. */
export interface LendingAssets {
  readonly reserves: ReadonlyArray<Asset>
  readonly usdc: Asset
  readonly blnd: Asset
}

/** Prices of the reserves, by index, seven decimals; factors of collateral and debt, seven decimals. */
const reserveParameters = [
  { price: 1_000_000n, cFactor: 7_500_000, lFactor: 7_500_000 },
  { price: 10_000_000n, cFactor: 9_000_000, lFactor: 9_500_000 },
  { price: 11_000_000n, cFactor: 8_500_000, lFactor: 9_000_000 }
] as const

const reserveConfig = (index: number, { cFactor, lFactor }: (typeof reserveParameters)[number]): ReserveConfig => ({
  index,
  decimals: 7,
  cFactor,
  lFactor,
  util: 8_000_000,
  maxUtil: 9_500_000,
  rBase: 100_000,
  rOne: 500_000,
  rTwo: 5_000_000,
  rThree: 15_000_000,
  reactivity: 1_000,
  cap: { supply: 10n ** 17n, enabled: true }
})

const tokenOf = (asset: Asset, passphrase: string): xdr.ScAddress => addressOf(asset.contractId(passphrase))

const poolEntries = (
  state: LedgerState,
  pool: xdr.ScAddress,
  { admin, blnd, name, tokens }: {
    readonly tokens: ReadonlyArray<xdr.ScAddress>
    readonly blnd: xdr.ScAddress
    readonly admin: xdr.ScAddress
    readonly name: string
  },
  until: number
) => [
  ...contractEntries(pool, poolV2Hash, [
    [poolInstanceKeys.admin, addressVal(admin)],
    [poolInstanceKeys.backstop, addressVal(backstop)],
    [poolInstanceKeys.blnd, addressVal(blnd)],
    [poolInstanceKeys.config, poolConfigVal({ oracle, backstopRate: 1_000_000, status: 0, maxPositions: 6, minCollateral: 0n })],
    [poolInstanceKeys.name, string(name)]
  ], until),
  ...dataEntries(pool, [reserveListKey, vec(...tokens.map(addressVal))], "persistent", until),
  ...tokens.flatMap((token, index) => {
    const reserve = reserveParameters[index]
    if (reserve === undefined) return []
    const data = {
      bRate: oneRate,
      bSupply: 0n,
      backstopCredit: 0n,
      dRate: oneRate,
      dSupply: 0n,
      irMod: lumen,
      lastTime: state.header.closeTime
    }
    return [
      ...dataEntries(pool, [reserveConfigKey(token), reserveConfigVal(reserveConfig(index, reserve))], "persistent", until),
      ...dataEntries(pool, [reserveDataKey(token), reserveDataVal(data)], "persistent", until)
    ]
  })
]

const oracleEntries = (tokens: ReadonlyArray<xdr.ScAddress>, until: number) => [
  ...contractEntries(oracle, priceOracleHash, oracleStorage(tokens, 7), until),
  ...dataEntries(oracle, [priceTimeKey, u64(0n)], "temporary", until),
  ...reserveParameters.flatMap(({ price }, index) => dataEntries(oracle, [priceKey(index, 0n), priceVal(price)], "temporary", until))
]

/** What an asset's contract keeps for a holder that is a contract itself. */
const held = (token: xdr.ScAddress, holder: xdr.ScAddress, amount: bigint, until: number) =>
  dataEntries(
    token,
    [balanceKey(holder), struct({ amount: i128(amount), authorized: bool(true), clawback: bool(false) })],
    "persistent",
    until
  )

/** 600,000 BLND and 15,000 USDC for 60,000 shares, all of one holder. */
const cometEntries = (blnd: xdr.ScAddress, usdc: xdr.ScAddress, holder: xdr.ScAddress, until: number) => {
  const [blndHeld, usdcHeld, shares] = [600_000n * lumen, 15_000n * lumen, 60_000n * lumen]
  const scalar = 100_000_000_000n
  return [
    ...contractEntries(comet, cometHash, [
      [cometInstanceKeys.swapFee, i128(30_000n)],
      [cometInstanceKeys.freeze, bool(false)],
      [cometInstanceKeys.metadata, struct({ decimal: u32(7), name: string("Comet Pool Token"), symbol: string("CPAL") })]
    ], until),
    ...recordEntries([
      { token: blnd, balance: blndHeld, index: 0, scalar, weight: 8_000_000n },
      { token: usdc, balance: usdcHeld, index: 1, scalar, weight: 2_000_000n }
    ]).flatMap(([key, val]) => dataEntries(comet, [key, val], "persistent", until)),
    ...dataEntries(comet, [totalSharesKey, i128(shares)], "persistent", until),
    ...dataEntries(comet, [cometBalanceKey(holder), i128(shares)], "persistent", until),
    ...held(blnd, comet, blndHeld, until),
    ...held(usdc, comet, usdcHeld, until)
  ]
}

const backstopEntries = (blnd: xdr.ScAddress, usdc: xdr.ScAddress, until: number) => [
  ...contractEntries(backstop, backstopV2Hash, [
    [backstopInstanceKeys.blnd, addressVal(blnd)],
    [backstopInstanceKeys.token, addressVal(comet)],
    [backstopInstanceKeys.emitter, addressVal(emitter)],
    [backstopInstanceKeys.poolFactory, addressVal(poolFactory)],
    [backstopInstanceKeys.usdc, addressVal(usdc)]
  ], until),
  ...dataEntries(backstop, [rewardZoneKey, vec(addressVal(pool))], "persistent", until)
]

const bareFactory = (factory: xdr.ScAddress, blnd: xdr.ScAddress, until: number) =>
  contractEntries(factory, poolFactoryV2Hash, [
    [
      poolMetaKey,
      struct({ backstop: addressVal(backstop), blnd_id: addressVal(blnd), pool_hash: xdr.ScVal.scvBytes(Buffer.from(poolV2Hash, "hex")) })
    ]
  ], until)

const factoryEntries = (blnd: xdr.ScAddress, until: number) => [
  ...bareFactory(poolFactory, blnd, until),
  ...dataEntries(poolFactory, [deployedKey(pool), bool(true)], "persistent", until)
]

/** A ledger with lend_1 deployed: an empty pool, its oracle, the backstop and its liquidity pool. `admin` holds all shares of that. */
export const withLending = (
  state: LedgerState,
  { blnd, reserves, usdc }: LendingAssets,
  admin: xdr.ScAddress,
  passphrase: string
): LedgerState => {
  const until = state.header.ledgerSeq + life
  const tokens = reserves.map((asset) => tokenOf(asset, passphrase))
  const [blndToken, usdcToken] = [tokenOf(blnd, passphrase), tokenOf(usdc, passphrase)]
  return state.set([
    ...oracleEntries(tokens, until),
    ...poolEntries(state, pool, { tokens, blnd: blndToken, admin, name: "Sandbox" }, until),
    ...cometEntries(blndToken, usdcToken, admin, until),
    ...backstopEntries(blndToken, usdcToken, until),
    ...factoryEntries(blndToken, until)
  ])
}

/** A ledger on which the admin of a pool that was deployed has set it up: it lends the assets, and takes requests. */
export const withPoolSetUp = (
  state: LedgerState,
  pool: xdr.ScAddress,
  { admin, assets: { blnd, reserves }, name, passphrase }: {
    readonly assets: LendingAssets
    readonly admin: xdr.ScAddress
    readonly name: string
    readonly passphrase: string
  }
): LedgerState => {
  const tokens = reserves.map((asset) => tokenOf(asset, passphrase))
  return state.set(poolEntries(state, pool, { tokens, blnd: tokenOf(blnd, passphrase), admin, name }, state.header.ledgerSeq + life))
}

/** A ledger with a factory of pools that has deployed none. */
export const withFactory = (state: LedgerState, factory: xdr.ScAddress, blnd: Asset, passphrase: string): LedgerState =>
  state.set(bareFactory(factory, tokenOf(blnd, passphrase), state.header.ledgerSeq + life))

/**
 * A ledger as the intake of a week's emissions leaves it: 20,000 BLND for what is supplied and what is owed of each
 * reserve, 50,000 for the backstop, all of it held there, and the pool's allowance to pay out of it.
 */
export const withEmissions = (state: LedgerState, { blnd, reserves }: LendingAssets, passphrase: string): LedgerState => {
  const { closeTime, ledgerSeq } = state.header
  const until = ledgerSeq + life
  const ids = reserves.flatMap((_, index) => [index * 2, index * 2 + 1])
  const [toPool, toBackstop] = [20_000n * lumen, 50_000n * lumen]
  const emitting = (amount: bigint): xdr.ScVal =>
    emissionDataVal({ eps: (amount * lumen) / week, expiration: closeTime + week, index: 0n, lastTime: closeTime })
  const token = tokenOf(blnd, passphrase)
  const paid = toPool * BigInt(ids.length)
  return state.set([
    ...ids.flatMap((id) => dataEntries(pool, [emissionDataKey(id), emitting(toPool)], "persistent", until)),
    ...dataEntries(backstop, [backstopEmissionKey(pool), emitting(toBackstop)], "persistent", until),
    ...held(token, backstop, paid + toBackstop, until),
    ...dataEntries(token, [allowanceKey(backstop, pool), struct({ amount: i128(paid), live_until_ledger: u32(until) })], "temporary", until)
  ])
}
