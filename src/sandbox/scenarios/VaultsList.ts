import type { LedgerState } from "../../ledger/LedgerState.ts"
import { lookup, mapOf } from "../../ledger/soroban/Values.ts"
import { keyOfContractData, keyOfInstance } from "../../xdr/LedgerKeys.ts"
import { infoKey, readInfo, readVault, type Vault, type VaultKey, vaultKey } from "../contracts/Cdp1.ts"
import { vaultsContracts } from "./VaultsContracts.ts"
import type { Denomination } from "./VaultsEntries.ts"

const { vaults } = vaultsContracts

/** The lowest vault of a denomination, as the contract's instance names it; null where there is none. */
const lowestIn = (state: LedgerState, denomination: Denomination): VaultKey | null => {
  const data = state.get(keyOfInstance(vaults))?.data
  const value = data?.type === "contractData" ? data.contractData.val : null
  if (value?.type !== "scvContractInstance") return null
  const info = lookup(mapOf((value.instance.storage ?? []).map(({ key, val }) => [key, val])), infoKey(denomination))
  return info === undefined ? null : readInfo(info).lowestKey
}

const vaultAt = (state: LedgerState, { account, denomination }: VaultKey): Vault | null => {
  const data = state.get(keyOfContractData(vaults, vaultKey(account, denomination), "persistent"))?.data
  return data?.type === "contractData" ? readVault(data.contractData.val) : null
}

/** The vaults of a denomination as the contract links them, lowest first. */
export const vaultsIn = (state: LedgerState, denomination: Denomination): ReadonlyArray<Vault> => {
  const found: Array<Vault> = []
  let next = lowestIn(state, denomination)
  while (next !== null) {
    const vault = vaultAt(state, next)
    if (vault === null) throw new Error("a link of the list leads nowhere")
    found.push(vault)
    next = vault.nextKey
  }
  return found
}
