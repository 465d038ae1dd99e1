import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { showAmount } from "../../domain/Amount.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { address, contract, describeMisfit, i128, type ScValMisfit, symbol, u128, variant } from "../../stellar/ScValCodec.ts"
import { callProblem } from "../CodeGate.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import type { LedgerView, OpenQuestions } from "../kit/LedgerView.ts"
import { noExit, refused, unavailable } from "../kit/NoExit.ts"
import { askPrice, freshPrice } from "../kit/OraclePrice.ts"
import { heldVault } from "./HeldVault.ts"
import { payout, ratio } from "./Value.ts"
import type { Vault } from "./Vault.ts"
import { findBelow, type NoneBelow } from "./VaultBelow.ts"
import { type Denomination, OptionalVaultKey, VaultKey } from "./VaultKey.ts"
import type { ListFault } from "./VaultListWalk.ts"
import { type VaultsCode, type VaultsContract, vaultsContract } from "./VaultsCode.ts"
import { type Core, type Currency, settingsIn, type VaultList, type VaultSettings } from "./VaultSettings.ts"

/**
 * `pay_debt(prev_key, vault_key, new_prev_key, amount)` for the whole debt: it burns the debt, removes the vault and returns the
 * collateral but for the fee. As the vault is not put back into the list, there is no new neighbour to name. Never `redeem`, which
 * takes the lowest vault of the list. `below`: the vault below in the list, null for the lowest.
 */
const payDebt = (
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

/** After so many seconds the vaults contract itself no longer acts on a price. */
const freshFor = 1200n

/** The price of the collateral in a denomination, scale 10^7, as the vaults contract asks for it (`lastprice(caller, asset)`); null when there is none. */
const priceIn = (
  view: LedgerView,
  vaults: ContractAddress,
  oracle: ContractAddress,
  denomination: Denomination
): Either.Either<bigint | null, OpenQuestions> =>
  freshPrice(view, askPrice(oracle, contract.encode(vaults), variant("Other", symbol.encode(denomination))), freshFor)

/** What the contract has set for a denomination. */
interface Terms {
  readonly core: Core
  readonly currency: Currency
  readonly list: VaultList
}

/** A vault whose owner may pay its debt. */
interface Payable {
  readonly contract: VaultsContract
  readonly denomination: Denomination
  readonly terms: Terms
  readonly vault: Vault
}

/** How a vault is left: by paying all of its debt, which gives the collateral back in the same call. */
export const leaveVault = (
  contract: ContractAddress,
  denomination: Denomination,
  context: ExitContext,
  code: VaultsCode
): Exit => {
  const { user, view } = context
  const blind = noExit(contract)
  const gated = vaultsContract(view, contract, code)
  const held = heldVault(view, contract, user, denomination)
  if (Either.isLeft(gated)) return blind(gated.left, held)
  if (Either.isLeft(held)) return blind(held.left)
  if (held.right === null) return { _tag: "Gone" }
  const { findable, vault } = held.right
  if (gated.right.kind === "woundDown") {
    return unavailable("The protocol was wound down. Its contract no longer allows owners to pay their debt and withdraw their collateral.")
  }
  if (!findable) {
    return unavailable("The vault's index is missing or wrong, so the contract does not find the vault.")
  }
  if (vault.debt === 0n) {
    return unavailable("The vault has no debt, a state its contract never creates, so the service builds nothing for it.")
  }
  const terms = termsOf(settingsIn(gated.right.instance), denomination)
  if (Either.isLeft(terms)) return undecodable(contract, terms.left)
  if (terms.right === null) return unavailable(`The contract no longer has settings for ${denomination}.`)
  return exitByPaying({ contract: gated.right, denomination, terms: terms.right, vault }, context)
}

/** Null where any of them is missing. */
const termsOf = (settings: VaultSettings, denomination: Denomination): Either.Either<Terms | null, ScValMisfit> =>
  Either.map(
    Either.all({ core: settings.core, currency: settings.currency(denomination), list: settings.list(denomination) }),
    ({ core, currency, list }) => (core === null || currency === null || list === null ? null : { core, currency, list })
  )

const exitByPaying = ({ contract, denomination, terms, vault }: Payable, { givenUp = false, spendable, view }: ExitContext): Exit => {
  const { core, currency: { stablecoin }, list } = terms
  const blind = noExit(contract.address)
  const price = priceIn(view, contract.address, core.oracle, denomination)
  const below = findBelow(view, contract.address, vault.key, { list, givenUp })
  if (Either.isLeft(price)) return blind(price.left, below)
  const risk = riskOf(price.right, vault, list)
  const available = spendable(stablecoin)
  if (available < vault.debt) {
    return { ...refused({ _tag: "RepayAssetShort", token: stablecoin, needed: vault.debt, held: available }), ...risk }
  }
  if (Either.isLeft(below)) return { ...withoutNeighbour(blind, below.left), ...risk }

  const call = payDebt(contract.address, terms, vault, below.right)
  const problem = contract.spec === null ? null : callProblem(contract.spec, call)
  return problem === null
    ? { _tag: "Calls", calls: [call], unlocksAt: null, isTrade: true, ...risk }
    : unavailable(`The contract does not accept the call: ${problem}.`)
}

/** Paying a debt needs no price: what is paid and what comes back are exact. It only says how long the vault may still be there. */
const riskOf = (price: bigint | null, { collateral, debt }: Vault, { minimumRatio }: VaultList): { readonly risk?: string } => {
  const stands = price === null ? null : ratio(price, collateral, debt)
  return stands === null || stands >= minimumRatio ? {} : { risk: liquidatable(stands, minimumRatio) }
}

/** Why there is no call without the vault below. */
const withoutNeighbour = (blind: ReturnType<typeof noExit>, none: NoneBelow): Exit => {
  switch (none._tag) {
    case "ListFault":
      return unavailable(explain(none))
    case "GivenUp":
      return unavailable(
        "The next lower vault in the protocol's list, which the contract requires, was not searched: this vault is left behind."
      )
    default:
      return blind(none)
  }
}

const undecodable = (contract: ContractAddress, misfit: ScValMisfit): Exit =>
  refused({ _tag: "Undecodable", contract, reason: describeMisfit(misfit) })

const liquidatable = (stands: bigint, minimum: bigint): string =>
  `The vault's collateral is worth ${showAmount(stands)} of its debt, under the minimum of ${
    showAmount(minimum)
  }. Anyone may liquidate it at any time.`

const explain = ({ fault, walked }: ListFault): string =>
  `The next lower vault in the protocol's list, which the contract requires, was not found (${fault.replace("_", " ")} after ${walked}). ` +
  "Others may have changed the list during the search. Try again."
