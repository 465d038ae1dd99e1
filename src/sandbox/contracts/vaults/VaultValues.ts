import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { HostError, hostFail } from "../../../ledger/soroban/HostError.ts"
import {
  addressVal,
  asAddress,
  asBool,
  asSymbol,
  asU128,
  asU64,
  asVec,
  field,
  sameAddress,
  struct,
  symbol,
  u128,
  u64,
  variant,
  vec
} from "../../../ledger/soroban/Values.ts"

export interface VaultKey {
  readonly account: xdr.ScAddress
  readonly denomination: string
  readonly index: bigint
}

export interface Vault {
  readonly account: xdr.ScAddress
  readonly denomination: string
  readonly index: bigint
  readonly nextKey: VaultKey | null
  readonly totalCollateral: bigint
  readonly totalDebt: bigint
}

export interface VaultsInfo {
  readonly denomination: string
  readonly lowestKey: VaultKey | null
  readonly minColRate: bigint
  readonly minDebtCreation: bigint
  readonly openingColRate: bigint
  readonly totalCol: bigint
  readonly totalDebt: bigint
  readonly totalVaults: bigint
}

export interface Currency {
  readonly active: boolean
  readonly contract: xdr.ScAddress
}

export interface CoreState {
  readonly colToken: xdr.ScAddress
  readonly fee: bigint
  readonly oracle: xdr.ScAddress
  readonly panicMode: boolean
  readonly treasury: xdr.ScAddress
}

/** Arguments that are not what the compiled code expects end the call with a trap. */
export const decoded = <A>(host: ContractHost, read: () => A): A => {
  try {
    return read()
  } catch (error) {
    if (error instanceof HostError) return host.trap()
    throw error
  }
}

export const keyOfVault = ({ account, denomination, index }: Vault): VaultKey => ({ account, denomination, index })

export const sameKey = (left: VaultKey, right: VaultKey): boolean =>
  left.index === right.index && left.denomination === right.denomination && sameAddress(left.account, right.account)

export const readKey = (value: xdr.ScVal): VaultKey => ({
  account: asAddress(field(value, "account")),
  denomination: asSymbol(field(value, "denomination")),
  index: asU128(field(value, "index"))
})

export const writeKey = ({ account, denomination, index }: VaultKey): xdr.ScVal =>
  struct({ account: addressVal(account), denomination: symbol(denomination), index: u128(index) })

export const readOptionalKey = (value: xdr.ScVal): VaultKey | null => {
  const [tag, key] = asVec(value)
  const name = tag === undefined ? "" : asSymbol(tag)
  if (name === "None" && key === undefined) return null
  return name === "Some" && key !== undefined ? readKey(key) : hostFail("Value", "UnexpectedType")
}

export const writeOptionalKey = (key: VaultKey | null): xdr.ScVal => (key === null ? variant("None") : variant("Some", writeKey(key)))

export const readVault = (value: xdr.ScVal): Vault => ({
  ...readKey(value),
  nextKey: readOptionalKey(field(value, "next_key")),
  totalCollateral: asU128(field(value, "total_collateral")),
  totalDebt: asU128(field(value, "total_debt"))
})

export const writeVault = (vault: Vault): xdr.ScVal =>
  struct({
    account: addressVal(vault.account),
    denomination: symbol(vault.denomination),
    index: u128(vault.index),
    next_key: writeOptionalKey(vault.nextKey),
    total_collateral: u128(vault.totalCollateral),
    total_debt: u128(vault.totalDebt)
  })

export const readInfo = (value: xdr.ScVal): VaultsInfo => ({
  denomination: asSymbol(field(value, "denomination")),
  lowestKey: readOptionalKey(field(value, "lowest_key")),
  minColRate: asU128(field(value, "min_col_rate")),
  minDebtCreation: asU128(field(value, "min_debt_creation")),
  openingColRate: asU128(field(value, "opening_col_rate")),
  totalCol: asU128(field(value, "total_col")),
  totalDebt: asU128(field(value, "total_debt")),
  totalVaults: asU64(field(value, "total_vaults"))
})

export const writeInfo = (info: VaultsInfo): xdr.ScVal =>
  struct({
    denomination: symbol(info.denomination),
    lowest_key: writeOptionalKey(info.lowestKey),
    min_col_rate: u128(info.minColRate),
    min_debt_creation: u128(info.minDebtCreation),
    opening_col_rate: u128(info.openingColRate),
    total_col: u128(info.totalCol),
    total_debt: u128(info.totalDebt),
    total_vaults: u64(info.totalVaults)
  })

export const readCurrency = (value: xdr.ScVal): Currency => ({
  active: asBool(field(value, "active")),
  contract: asAddress(field(value, "contract"))
})

export const readCore = (value: xdr.ScVal): CoreState => ({
  colToken: asAddress(field(value, "col_token")),
  fee: asU128(field(value, "fee")),
  oracle: asAddress(field(value, "oracle")),
  panicMode: asBool(field(value, "panic_mode")),
  treasury: asAddress(field(value, "treasury"))
})

export const coreKey: xdr.ScVal = variant("CoreState")

export const currencyKey = (denomination: string): xdr.ScVal => variant("Currency", symbol(denomination))

export const infoKey = (denomination: string): xdr.ScVal => variant("VaultsInfo", symbol(denomination))

export const vaultKey = (account: xdr.ScAddress, denomination: string): xdr.ScVal =>
  variant("Vault", vec(addressVal(account), symbol(denomination)))

export const vaultIndexKey = (account: xdr.ScAddress, denomination: string): xdr.ScVal =>
  variant("VaultIndex", struct({ denomination: symbol(denomination), user: addressVal(account) }))
