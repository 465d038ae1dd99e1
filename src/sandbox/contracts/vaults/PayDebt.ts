import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, i128, voidVal } from "../../../ledger/soroban/Values.ts"
import { VaultsError } from "./VaultsError.ts"
import { coreOf, currencyOf, indexOf, infoOf, keepInstance, keepVault, putIn, searchVault, setInfo, takeOut } from "./VaultsStore.ts"
import { decoded, readKey, readOptionalKey, sameKey } from "./VaultValues.ts"
import type { CoreState, Vault, VaultKey, VaultsInfo } from "./VaultValues.ts"

/** What every change of a vault is given: the vault, and where it stands in the list before and after. */
export interface VaultChange {
  readonly below: VaultKey | null
  readonly key: VaultKey
  readonly newBelow: VaultKey | null
}

export const readChange = (host: ContractHost, below: xdr.ScVal, key: xdr.ScVal, newBelow: xdr.ScVal): VaultChange =>
  decoded(host, () => ({ below: readOptionalKey(below), key: readKey(key), newBelow: readOptionalKey(newBelow) }))

/** The vault to change with its list, after the checks that every change must pass. */
export const openForChange = (
  host: ContractHost,
  { below, key, newBelow }: VaultChange
): { readonly vault: Vault; readonly vaultKey: VaultKey; readonly info: VaultsInfo; readonly lowest: VaultKey } => {
  const [vault, vaultKey] = searchVault(host, key.account, key.denomination)
  const info = infoOf(host, vaultKey.denomination) ?? host.trap()
  const lowest = info.lowestKey ?? host.fail(VaultsError.ThereAreNoVaults)
  for (const neighbour of [below, newBelow]) {
    if (neighbour !== null && neighbour.denomination !== key.denomination) host.fail(VaultsError.InvalidPrevKeyDenomination)
  }
  if (vault.index !== key.index) host.fail(VaultsError.IndexProvidedIsNotTheOneSaved)
  if (below === null && !sameKey(vaultKey, lowest)) host.fail(VaultsError.PrevVaultCantBeNone)
  return { vault, vaultKey, info, lowest }
}

/** The share of an amount that the treasury gets, rounded up. */
export const feeOf = ({ fee }: CoreState, amount: bigint): bigint => (amount * fee + 9_999_999n) / 10_000_000n

/** So many base units of the collateral that pass from one holder to another. */
export interface CollateralTransfer {
  readonly from: xdr.ScAddress
  readonly to: xdr.ScAddress
  readonly amount: bigint
}

/** Moves collateral by a call of its contract. */
export const transferCollateral = (host: ContractHost, core: CoreState, { amount, from, to }: CollateralTransfer): void => {
  host.call(core.colToken, "transfer", addressVal(from), addressVal(to), i128(amount))
}

/** `pay_debt(prev_key, vault_key, new_prev_key, amount)`: in full it closes the vault and returns its collateral. */
export const payDebt = contractFunction(["value", "value", "value", "u128"], (host, [below, key, newBelow, amount]) => {
  const change = readChange(host, below, key, newBelow)
  keepInstance(host)
  host.requireAuth(change.key.account)
  const currency = currencyOf(host, change.key.denomination)
  const { info, lowest, vault, vaultKey } = openForChange(host, change)
  if (amount > vault.totalDebt) host.fail(VaultsError.DepositAmountIsMoreThanTotalDebt)
  const core = coreOf(host)
  host.call(currency.contract, "burn", addressVal(vault.account), i128(amount))
  const without = sameKey(lowest, vaultKey) ? vault.nextKey : lowest

  if (amount === vault.totalDebt) {
    if (change.newBelow !== null) host.fail(VaultsError.NextPrevVaultShouldBeNone)
    const fee = feeOf(core, vault.totalCollateral)
    transferCollateral(host, core, { from: host.address, to: vault.account, amount: vault.totalCollateral - fee })
    transferCollateral(host, core, { from: host.address, to: core.treasury, amount: fee })
    takeOut(host, vault, change.below)
    setInfo(host, {
      ...info,
      lowestKey: without,
      totalVaults: info.totalVaults - 1n,
      totalCol: info.totalCol - vault.totalCollateral,
      totalDebt: info.totalDebt - amount
    })
    return voidVal
  }

  const debt = vault.totalDebt - amount
  if (debt < info.minDebtCreation) host.fail(VaultsError.InvalidMinDebtAmount)
  takeOut(host, vault, change.below)
  const lowestKey = putIn(host, without, change.newBelow, { ...vault, totalDebt: debt, index: indexOf(vault.totalCollateral, debt) })
  keepVault(host, vault)
  setInfo(host, { ...info, lowestKey, totalDebt: info.totalDebt - amount })
  return voidVal
})
