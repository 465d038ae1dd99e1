import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { address, tuple, variant } from "../../stellar/ScValCodec.ts"
import type { VaultSettings } from "./VaultSettings.ts"

const Deposited = tuple(address, address)

/**
 * Where a locking pool keeps what an owner locked (`Deposit((asset, owner))`, persistent), for every asset the vaults know of. The
 * pool keeps no list of its assets, so one of another kind cannot be seen.
 */
export const depositKeys = (pool: ContractAddress, owner: AccountAddress, settings: VaultSettings): ReadonlyArray<xdr.LedgerKey> => {
  const stablecoins = settings.denominations.flatMap((denomination) => {
    const currency = Either.getOrNull(settings.currency(denomination))
    return currency === null ? [] : [currency.stablecoin]
  })
  const collateral = Either.getOrNull(settings.core)
  const assets = new Set([...stablecoins, ...(collateral === null ? [] : [collateral.collateralToken])])
  return [...assets].map((asset) => contractDataKey(pool, variant("Deposit", Deposited.encode([asset, owner]))))
}
