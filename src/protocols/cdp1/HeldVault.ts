import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { u128 } from "../../stellar/ScValCodec.ts"
import { valueIn } from "../kit/LedgerView.ts"
import type { LedgerView, Unusable } from "../kit/LedgerView.ts"
import { together } from "../kit/OpenQuestions.ts"
import { Vault } from "./Vault.ts"
import { vaultDataKey, vaultIndexDataKey } from "./VaultKey.ts"
import type { Denomination } from "./VaultKey.ts"

/** A vault as its two entries show it. */
export interface HeldVault {
  readonly vault: Vault
  /** Whether the index kept beside the vault is that of the vault. Without it the contract does not find the vault. */
  readonly findable: boolean
}

/** The vault of an owner in a denomination; null when there is none. */
export const heldVault = (
  view: LedgerView,
  contract: ContractAddress,
  owner: string,
  denomination: Denomination
): Either.Either<HeldVault | null, Unusable> => {
  const stored = valueIn(view, contract, vaultDataKey(owner, denomination), Vault)
  const index = valueIn(view, contract, vaultIndexDataKey(owner, denomination), u128)
  if (Either.isLeft(stored)) return Either.left(together(stored.left, index))
  if (Either.isLeft(index)) return Either.left(index.left)
  const vault = stored.right
  const odd = (key: xdr.ScVal, reason: string) =>
    Either.left<Unusable>({ _tag: "Undecodable", key: contractDataKey(contract, key), reason })
  if (vault === null) {
    return index.right === null ? Either.right(null) : odd(vaultIndexDataKey(owner, denomination), "the index of a vault that is not there")
  }
  return vault.key.account === owner && vault.key.denomination === denomination
    ? Either.right({ vault, findable: index.right === vault.key.index })
    : odd(vaultDataKey(owner, denomination), "the vault of another owner or denomination")
}

/** A vault anywhere in the list, by what a link says of it; null when there is none. */
export const linkedVault = (
  view: LedgerView,
  contract: ContractAddress,
  link: { readonly account: string; readonly denomination: Denomination }
): Either.Either<Vault | null, Unusable> => valueIn(view, contract, vaultDataKey(link.account, link.denomination), Vault)
