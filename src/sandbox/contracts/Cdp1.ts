import type { Registration } from "../../ledger/soroban/Contract.ts"
import { PRICE_ORACLE_HASH, priceOracle } from "./vaults/CollateralOracle.ts"
import { vaults, VAULTS_HASH } from "./vaults/Vaults.ts"

/** The contracts of cdp_1, by the hashes of the code they stand in for. */
export const CDP_1_CONTRACTS: ReadonlyArray<Registration> = [
  { model: vaults, wasmHashes: [VAULTS_HASH] },
  { model: priceOracle, wasmHashes: [PRICE_ORACLE_HASH] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { PRICE_ORACLE_HASH, priceStorage } from "./vaults/CollateralOracle.ts"
export { VAULTS_HASH } from "./vaults/Vaults.ts"
export { indexOf } from "./vaults/VaultsStore.ts"
export {
  coreKey,
  currencyKey,
  infoKey,
  keyOfVault,
  readInfo,
  readVault,
  type Vault,
  type VaultKey,
  vaultKey,
  writeInfo,
  writeOptionalKey
} from "./vaults/VaultValues.ts"
