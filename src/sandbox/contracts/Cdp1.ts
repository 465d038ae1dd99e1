import type { Registration } from "../../ledger/soroban/Contract.ts"
import { VAULTS_HASH, vaults } from "./vaults/Vaults.ts"
import { PRICE_ORACLE_HASH, priceOracle } from "./vaults/CollateralOracle.ts"

/** The contracts of cdp_1, by the hashes of the code they stand in for. */
export const CDP_1_CONTRACTS: ReadonlyArray<Registration> = [
  { model: vaults, wasmHashes: [VAULTS_HASH] },
  { model: priceOracle, wasmHashes: [PRICE_ORACLE_HASH] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { PRICE_ORACLE_HASH, priceStorage } from "./vaults/CollateralOracle.ts"
export {
  coreKey,
  currencyKey,
  infoKey,
  keyOfVault,
  readInfo,
  readVault,
  type Vault,
  vaultKey,
  type VaultKey,
  writeInfo,
  writeOptionalKey
} from "./vaults/VaultValues.ts"
export { VAULTS_HASH } from "./vaults/Vaults.ts"
export { indexOf } from "./vaults/VaultsStore.ts"
