import type { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asU128, u128 } from "../../../ledger/soroban/Values.ts"
import { VaultsError } from "./VaultsError.ts"
import {
  coreKey,
  currencyKey,
  infoKey,
  keyOfVault,
  readCore,
  readCurrency,
  readInfo,
  readVault,
  sameKey,
  vaultIndexKey,
  vaultKey,
  writeInfo,
  writeVault
} from "./VaultValues.ts"
import type { CoreState, Currency, Vault, VaultKey, VaultsInfo } from "./VaultValues.ts"

const life = 28 * ledgersPerDay
const lifeThreshold = 14 * ledgersPerDay

/** Extends the instance as every call of the contract does: by the ledger's own number too much, which the host cuts to its most. */
export const keepInstance = (host: ContractHost): void => host.extendInstance(lifeThreshold, host.ledger.sequence + life)

export const keepVault = (host: ContractHost, { account, denomination }: Pick<VaultKey, "account" | "denomination">): void => {
  host.persistent.extend(vaultKey(account, denomination), lifeThreshold, life)
  host.persistent.extend(vaultIndexKey(account, denomination), lifeThreshold, life)
}

export const coreOf = (host: ContractHost): CoreState => readCore(host.instance.get(coreKey) ?? host.trap())

export const currencyOf = (host: ContractHost, denomination: string): Currency =>
  readCurrency(host.instance.get(currencyKey(denomination)) ?? host.fail(VaultsError.CurrencyDoesntExist))

export const infoOf = (host: ContractHost, denomination: string): VaultsInfo | undefined => {
  const value = host.instance.get(infoKey(denomination))
  return value === undefined ? undefined : readInfo(value)
}

export const setInfo = (host: ContractHost, info: VaultsInfo): void => host.instance.set(infoKey(info.denomination), writeInfo(info))

export const vaultAt = (host: ContractHost, account: xdr.ScAddress, denomination: string): Vault | undefined => {
  const value = host.persistent.get(vaultKey(account, denomination))
  return value === undefined ? undefined : readVault(value)
}

/** The vault of an owner as its index finds it, and the key made of that index. */
export const searchVault = (host: ContractHost, account: xdr.ScAddress, denomination: string): readonly [Vault, VaultKey] => {
  const index = host.persistent.get(vaultIndexKey(account, denomination)) ?? host.fail(VaultsError.VaultDoesntExist)
  const vault = vaultAt(host, account, denomination) ?? host.fail(VaultsError.VaultDoesntExist)
  return [vault, { account, denomination, index: asU128(index) }]
}

const setVault = (host: ContractHost, vault: Vault): void =>
  host.persistent.set(vaultKey(vault.account, vault.denomination), writeVault(vault))

/** Takes a vault out of the list: the one below, if it is named, must lead to it. */
export const takeOut = (host: ContractHost, vault: Vault, below: VaultKey | null): void => {
  if (below !== null) {
    const [previous] = searchVault(host, below.account, below.denomination)
    if (previous.nextKey === null || !sameKey(previous.nextKey, keyOfVault(vault))) host.fail(VaultsError.PrevVaultNextIndexIsInvalid)
    setVault(host, { ...previous, nextKey: vault.nextKey })
  }
  host.persistent.remove(vaultKey(vault.account, vault.denomination))
  host.persistent.remove(vaultIndexKey(vault.account, vault.denomination))
}

/** Puts a vault into the list where its index belongs, above the vault named; gives the lowest of the list after it. */
export const putIn = (
  host: ContractHost,
  lowest: VaultKey | null,
  below: VaultKey | null,
  vault: Omit<Vault, "nextKey">
): VaultKey => {
  const key = { account: vault.account, denomination: vault.denomination, index: vault.index }
  const save = (nextKey: VaultKey | null): void => {
    setVault(host, { ...vault, nextKey })
    host.persistent.set(vaultIndexKey(vault.account, vault.denomination), u128(vault.index))
  }
  if (lowest === null || key.index <= lowest.index) {
    save(lowest)
    return key
  }
  if (below === null) return host.fail(VaultsError.PrevVaultCantBeNone)
  if (key.index < below.index) host.fail(VaultsError.InvalidPrevVaultIndex)
  const previous = vaultAt(host, below.account, below.denomination) ?? host.fail(VaultsError.PrevVaultDoesntExist)
  if (previous.nextKey !== null && previous.nextKey.index < key.index) host.fail(VaultsError.PrevVaultNextIndexIsLowerThanNewVault)
  setVault(host, { ...previous, nextKey: key })
  save(previous.nextKey)
  return lowest
}

/** Collateral over debt, which orders the list. */
export const indexOf = (collateral: bigint, debt: bigint): bigint => (1_000_000_000n * collateral) / debt
