import type { Registration } from "../../ledger/soroban/Contract.ts"
import { priceOracle, priceOracleHash } from "./vaults/CollateralOracle.ts"
import { vaults, vaultsHash } from "./vaults/Vaults.ts"

/** The contracts of cdp_1, by the hashes of the code they stand in for. */
export const cdp1Contracts: ReadonlyArray<Registration> = [
  { model: vaults, wasmHashes: [vaultsHash] },
  { model: priceOracle, wasmHashes: [priceOracleHash] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { priceOracleHash, priceStorage } from "./vaults/CollateralOracle.ts"
export { vaultsHash } from "./vaults/Vaults.ts"
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
