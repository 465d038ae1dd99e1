import { contractFunction } from "../../../ledger/soroban/Contract.ts"
import { addressVal, i128, voidVal } from "../../../ledger/soroban/Values.ts"
import { feeOf, openForChange, readChange, transferCollateral } from "./PayDebt.ts"
import { freshPriceOf } from "./Pricing.ts"
import { VaultsError } from "./VaultsError.ts"
import { coreOf, currencyOf, indexOf, infoOf, keepInstance, keepVault, putIn, setInfo, takeOut, vaultAt } from "./VaultsStore.ts"
import { decoded, readOptionalKey, sameKey, vaultIndexKey } from "./VaultValues.ts"

/** `new_vault(prev_key, caller, initial_debt, collateral_amount, denomination)`. */
export const newVault = contractFunction(
  ["value", "address", "u128", "u128", "symbol"],
  (host, [prev, caller, debt, amount, denomination]) => {
    const below = decoded(host, () => readOptionalKey(prev))
    keepInstance(host)
    host.requireAuth(caller)
    const currency = currencyOf(host, denomination)
    if (!currency.active) host.fail(VaultsError.CurrencyIsInactive)
    if (host.persistent.has(vaultIndexKey(caller, denomination))) host.fail(VaultsError.UserAlreadyHasDenominationVault)
    const core = coreOf(host)
    const price = freshPriceOf(host, core, denomination)
    const fee = feeOf(core, amount)
    const collateral = amount - fee
    const info = infoOf(host, denomination) ?? host.fail(VaultsError.VaultsInfoHasNotStarted)
    if (info.minDebtCreation > debt) host.fail(VaultsError.InvalidMinDebtAmount)
    if ((price * collateral) / debt < info.openingColRate) host.fail(VaultsError.InvalidOpeningCollateralRatio)
    const index = indexOf(collateral, debt)
    if (below !== null) {
      if (index < below.index) host.fail(VaultsError.InvalidPrevVaultIndex)
      if (vaultAt(host, below.account, below.denomination) === undefined) host.fail(VaultsError.PrevVaultDoesntExist)
      if (below.denomination !== denomination) host.fail(VaultsError.InvalidPrevKeyDenomination)
    }
    const vault = { account: caller, denomination, index, totalCollateral: collateral, totalDebt: debt }
    const lowestKey = putIn(host, info.lowestKey, below, vault)
    setInfo(host, {
      ...info,
      lowestKey,
      totalVaults: info.totalVaults + 1n,
      totalDebt: info.totalDebt + debt,
      totalCol: info.totalCol + collateral
    })
    transferCollateral(host, core, { from: caller, to: host.address, amount: collateral })
    host.call(currency.contract, "mint", addressVal(caller), i128(debt))
    transferCollateral(host, core, { from: caller, to: core.treasury, amount: fee })
    keepVault(host, vault)
    return voidVal
  }
)

/** `withdraw_collateral(prev_key, vault_key, new_prev_key, amount)`. */
export const withdrawCollateral = contractFunction(["value", "value", "value", "u128"], (host, [below, key, newBelow, amount]) => {
  const change = readChange(host, below, key, newBelow)
  keepInstance(host)
  host.requireAuth(change.key.account)
  if (!currencyOf(host, change.key.denomination).active) host.fail(VaultsError.CurrencyIsInactive)
  const core = coreOf(host)
  const price = freshPriceOf(host, core, change.key.denomination)
  const { info, lowest, vault, vaultKey } = openForChange(host, change)
  takeOut(host, vault, change.below)
  const collateral = vault.totalCollateral > amount ? vault.totalCollateral - amount : 0n
  if ((price * collateral) / vault.totalDebt < info.openingColRate) host.fail(VaultsError.CollateralRateUnderMinimum)
  transferCollateral(host, core, { from: host.address, to: vault.account, amount })
  const without = sameKey(lowest, vaultKey) ? vault.nextKey : lowest
  const lowestKey = putIn(host, without, change.newBelow, {
    ...vault,
    totalCollateral: collateral,
    index: indexOf(collateral, vault.totalDebt)
  })
  setInfo(host, { ...info, lowestKey, totalCol: info.totalCol - amount })
  keepVault(host, vault)
  return voidVal
})
