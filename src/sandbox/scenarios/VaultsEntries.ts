import { Asset, type xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { addressOf, addressVal, bool, struct, symbol, u128, variant } from "../../ledger/soroban/Values.ts"
import { keyOfInstance } from "../../xdr/LedgerKeys.ts"
import { coreKey, currencyKey, infoKey, priceOracleHash, priceStorage, vaultsHash, writeInfo } from "../contracts/Cdp1.ts"
import { contractEntries, dataEntries } from "../contracts/Deployment.ts"
import { withAssetContracts } from "../network/AssetContracts.ts"
import { vaultsContracts, woundDownHash } from "./VaultsContracts.ts"

const { oracle, vaults } = vaultsContracts

/** Ledgers everything deployed lives without being used. */
const life = 2_000_000

export type Denomination = "USD" | "EUR"

/** What the vaults lend, and who gets what they keep back. */
export interface VaultsAssets {
  readonly stablecoins: Readonly<Record<Denomination, Asset>>
  readonly issuer: xdr.ScAddress
  readonly treasury: xdr.ScAddress
}

/** A lumen in each denomination, scale 10^7. */
const prices: Readonly<Record<Denomination, bigint>> = { USD: 1_000_000n, EUR: 900_000n }

/** Share of the collateral kept when a vault is opened or closed, scale 10^7: half a percent. */
const feeRate = 50_000n

const denominations: ReadonlyArray<Denomination> = ["USD", "EUR"]

const tokenVal = (asset: Asset, passphrase: string): xdr.ScVal => addressVal(addressOf(asset.contractId(passphrase)))

const emptyList = (denomination: Denomination): xdr.ScVal =>
  writeInfo({
    denomination,
    lowestKey: null,
    minColRate: 11_000_000n,
    minDebtCreation: 1_000_000_000n,
    openingColRate: 11_500_000n,
    totalCol: 0n,
    totalDebt: 0n,
    totalVaults: 0n
  })

const instanceStorage = (
  { issuer, stablecoins, treasury }: VaultsAssets,
  passphrase: string
): ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> => [
  [
    coreKey,
    struct({
      admin: addressVal(issuer),
      col_token: tokenVal(Asset.native(), passphrase),
      fee: u128(feeRate),
      oracle: addressVal(oracle),
      panic_mode: bool(false),
      protocol_manager: addressVal(issuer),
      stable_issuer: addressVal(issuer),
      treasury: addressVal(treasury)
    })
  ],
  ...denominations.flatMap((denomination) => [
    [
      currencyKey(denomination),
      struct({ active: bool(true), contract: tokenVal(stablecoins[denomination], passphrase), denomination: symbol(denomination) })
    ] as const,
    [infoKey(denomination), emptyList(denomination)] as const
  ])
]

/** A ledger on which a lumen is worth this much in a denomination (scale 10^7), as of its close time. */
export const withPrice = (state: LedgerState, denomination: Denomination, price: bigint): LedgerState =>
  state.set(
    priceStorage(variant("Other", symbol(denomination)), price, state.header.closeTime)
      .flatMap(([key, value, durability]) => dataEntries(oracle, [key, value], durability, state.header.ledgerSeq + life))
  )

/** A ledger with cdp_1 deployed: no vaults yet, and an oracle. What it lends has its contract, though no one has trusted it yet. */
export const withVaults = (state: LedgerState, assets: VaultsAssets, passphrase: string): LedgerState => {
  const until = state.header.ledgerSeq + life
  const stablecoins = Object.values(assets.stablecoins).map((asset) => asset.toXdrObject())
  const deployed = withAssetContracts(state, stablecoins, passphrase).set([
    ...contractEntries(vaults, vaultsHash, instanceStorage(assets, passphrase), until),
    ...contractEntries(oracle, priceOracleHash, [], until)
  ])
  return denominations.reduce((next, denomination) => withPrice(next, denomination, prices[denomination]), deployed)
}

/** A ledger on which the vaults contract was wound down: what it keeps stays, and its owners can no longer do anything. */
export const woundDown = (state: LedgerState): LedgerState => {
  const data = state.get(keyOfInstance(vaults))?.data
  const value = data?.type === "contractData" ? data.contractData.val : null
  if (value?.type !== "scvContractInstance") throw new Error("there are no vaults to wind down")
  const storage = (value.instance.storage ?? []).map(({ key, val }) => [key, val] as const)
  return state.set(contractEntries(vaults, woundDownHash, storage, state.header.ledgerSeq + life))
}
