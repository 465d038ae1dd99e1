import type { ContractAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { address, i128, u128 } from "../../stellar/ScValCodec.ts"
import { payout } from "./Value.ts"
import type { Vault } from "./Vault.ts"
import { OptionalVaultKey, VaultKey } from "./VaultKey.ts"
import type { Core, Currency } from "./VaultSettings.ts"

/**
 * `pay_debt(prev_key, vault_key, new_prev_key, amount)` for the whole debt: it burns the debt, removes the vault and returns the
 * collateral but for the fee. As the vault is not put back into the list, there is no new neighbour to name. Never `redeem`, which
 * takes the lowest vault of the list. `below`: the vault below in the list, null for the lowest.
 */
export const payDebt = (
  contract: ContractAddress,
  { core, currency }: { readonly core: Core; readonly currency: Currency },
  vault: Vault,
  below: VaultKey | null
): ContractCall => ({
  contract,
  function: "pay_debt",
  args: [OptionalVaultKey.encode(below), VaultKey.encode(vault.key), OptionalVaultKey.encode(null), u128.encode(vault.debt)],
  payouts: [{ token: core.collateralToken, expected: payout(vault.collateral, core.fee) }],
  holds: [{ token: currency.stablecoin, amount: vault.debt }],
  subCalls: [
    { contract: currency.stablecoin, function: "burn", args: [address.encode(vault.key.account), i128.encode(vault.debt)], subCalls: [] }
  ],
  recipients: [core.treasury],
  bystanders: below === null ? [] : [below.account]
})
