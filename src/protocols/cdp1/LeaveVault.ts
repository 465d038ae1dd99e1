import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { showAmount } from "../../domain/Amount.ts"
import { describeMisfit } from "../../stellar/ScValCodec.ts"
import type { ScValMisfit } from "../../stellar/ScValCodec.ts"
import { callProblem } from "../CodeGate.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import { noExit, refused, unavailable } from "../kit/NoExit.ts"
import { priceIn } from "./CollateralPrice.ts"
import { heldVault } from "./HeldVault.ts"
import { payDebt } from "./PayDebt.ts"
import { ratio } from "./Value.ts"
import type { Vault } from "./Vault.ts"
import { findBelow } from "./VaultBelow.ts"
import type { NoneBelow } from "./VaultBelow.ts"
import type { Denomination } from "./VaultKey.ts"
import type { ListFault } from "./VaultListWalk.ts"
import { vaultsContract } from "./VaultsCode.ts"
import type { VaultsCode, VaultsContract } from "./VaultsCode.ts"
import { settingsIn } from "./VaultSettings.ts"
import type { Core, Currency, VaultList, VaultSettings } from "./VaultSettings.ts"

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
    return unavailable("The protocol was wound down: its contract no longer lets owners pay their debt and take their collateral out.")
  }
  if (!findable) {
    return unavailable("The vault's index is missing or another than the vault's own, so the contract does not find the vault.")
  }
  if (vault.debt === 0n) return unavailable("The vault has no debt, which its contract never leaves behind, so nothing is built for it.")
  const terms = termsOf(settingsIn(gated.right.instance), denomination)
  if (Either.isLeft(terms)) return undecodable(contract, terms.left)
  if (terms.right === null) return unavailable(`The contract has no settings for ${denomination} any more.`)
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
    : unavailable(`The contract does not take the call: ${problem}.`)
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
        "The vault below in the protocol's list, which the contract asks for, was not looked for: this vault is left behind."
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
  }: anybody may liquidate it at any moment.`

const explain = ({ fault, walked }: ListFault): string =>
  `The vault below in the protocol's list, which the contract asks for, was not found (${fault.replace("_", " ")} after ${walked}). ` +
  "Others may have changed the list meanwhile; ask again."
