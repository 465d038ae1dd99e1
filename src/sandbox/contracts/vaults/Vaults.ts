import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { u128, vec } from "../../../ledger/soroban/Values.ts"
import { newVault, withdrawCollateral } from "./OpenVault.ts"
import { payDebt } from "./PayDebt.ts"
import { priceOf } from "./Pricing.ts"
import { VaultsError } from "./VaultsError.ts"
import { coreOf, infoOf, keepInstance, keepVault, searchVault, vaultAt } from "./VaultsStore.ts"
import { coreKey, currencyKey, decoded, infoKey, readKey, readOptionalKey, writeVault } from "./VaultValues.ts"
import type { Vault, VaultKey } from "./VaultValues.ts"

/** The recorded build of the vaults contract (0.6.0 of its public source; no deployed contract has this hash). */
export const vaultsHash = "bae1e34fe822320222ac9ad947756befbe139d756fabab6a713d8836baab3c5e"

/** A value of the instance, unchanged; fails with `absent` where there is none. */
const stored = (host: ContractHost, key: xdr.ScVal, absent: () => never): xdr.ScVal => {
  keepInstance(host)
  return host.instance.get(key) ?? absent()
}

/** Vaults from one upwards, at most so many; with a price only those that can be liquidated, which are at the beginning. */
const listFrom = (host: ContractHost, first: VaultKey, total: number, isWanted: (vault: Vault) => boolean): ReadonlyArray<Vault> => {
  const vaults: Array<Vault> = []
  let at: VaultKey | null = first
  while (at !== null && vaults.length < total) {
    const vault: Vault = vaultAt(host, at.account, at.denomination) ?? host.trap()
    if (!isWanted(vault)) break
    vaults.push(vault)
    at = vault.nextKey
  }
  return vaults
}

/**
 * Vaults of cdp_1: a stablecoin lent against collateral, one vault an owner and denomination, linked into a list that ascends by
 * collateral over debt. Left out: redeeming, liquidating, moving debts, and what only its operators may do.
 */
export const vaults: ContractModel = {
  functions: {
    pay_debt: payDebt,
    new_vault: newVault,
    withdraw_collateral: withdrawCollateral,
    get_core_state: contractFunction([], (host) => stored(host, coreKey, host.trap)),
    get_currency: contractFunction(
      ["symbol"],
      (host, [denomination]) => stored(host, currencyKey(denomination), () => host.fail(VaultsError.CurrencyDoesntExist))
    ),
    get_vaults_info: contractFunction(["symbol"], (host, [denomination]) => stored(host, infoKey(denomination), host.trap)),
    get_vault: contractFunction(["address", "symbol"], (host, [user, denomination]) => {
      keepInstance(host)
      const [vault] = searchVault(host, user, denomination)
      keepVault(host, vault)
      return writeVault(vault)
    }),
    get_vault_from_key: contractFunction(["value"], (host, [key]) => {
      const { account, denomination } = decoded(host, () => readKey(key))
      keepInstance(host)
      const vault = vaultAt(host, account, denomination) ?? host.fail(VaultsError.VaultDoesntExist)
      keepVault(host, vault)
      return writeVault(vault)
    }),
    get_vaults: contractFunction(["value", "symbol", "u32", "bool"], (host, [prev, denomination, total, onlyToLiquidate]) => {
      const from = decoded(host, () => readOptionalKey(prev))
      keepInstance(host)
      const { price } = priceOf(host, coreOf(host), denomination)
      const info = infoOf(host, denomination) ?? host.trap()
      const first = from ?? info.lowestKey
      if (first === null) return vec()
      if (from !== null && from.denomination !== denomination) host.fail(VaultsError.InvalidPrevKeyDenomination)
      const isWanted = ({ totalCollateral, totalDebt }: Vault) =>
        !onlyToLiquidate || (price * totalCollateral) / totalDebt < info.minColRate
      return vec(...listFrom(host, first, total, isWanted).map(writeVault))
    }),
    calculate_deposit_ratio: contractFunction(
      ["u128", "u128", "u128"],
      (host, [rate, collateral, debt]) => u128(debt === 0n ? host.trap() : (rate * collateral) / debt)
    )
  }
}
