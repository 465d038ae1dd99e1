import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { LedgerView, Unusable } from "../kit/LedgerView.ts"
import { linkedVault } from "./HeldVault.ts"
import { sameVault } from "./VaultKey.ts"
import type { VaultKey } from "./VaultKey.ts"
import { type ListFault, readLimit, vaultBelow } from "./VaultListWalk.ts"
import { pagedVaults } from "./VaultPages.ts"
import type { VaultList } from "./VaultSettings.ts"

/** Why the vault below is not known: something is unread or does not decode, the list is at fault, or nobody looks for it. */
export type NoneBelow = Unusable | ListFault | { readonly _tag: "GivenUp" }

/** Whether the vault below is the one that the contract says, by its own entry: it links to the target. */
const confirmed = (view: LedgerView, contract: ContractAddress, below: VaultKey, target: VaultKey): Either.Either<boolean, Unusable> =>
  Either.map(
    linkedVault(view, contract, below),
    (vault) => vault !== null && sameVault(vault.key, below) && vault.next !== null && sameVault(vault.next, target)
  )

/**
 * The vault below the target, which `pay_debt` needs as `prev_key`; null when the target is the lowest. By what the contract's getter
 * tells, page by page, and confirmed by the entry of the vault below; where that does not do, entry by entry, each a trip of its own,
 * and not very far. `givenUp`: the owner leaves the vault behind, so it is not looked for that way.
 */
export const findBelow = (
  view: LedgerView,
  contract: ContractAddress,
  target: VaultKey,
  { givenUp, list }: { readonly list: VaultList; readonly givenUp: boolean }
): Either.Either<VaultKey | null, NoneBelow> => {
  if (list.lowest === null || sameVault(list.lowest, target)) return vaultBelow(list, target, () => Either.right(null))
  const told = pagedVaults(view, contract, target)
  if (Either.isLeft(told)) return Either.left(told.left)
  const candidate = vaultBelow(list, target, ({ account }) => Either.right(told.right.get(account) ?? null))
  if (Either.isRight(candidate) && candidate.right !== null) {
    const found = candidate.right
    const stands = confirmed(view, contract, found, target)
    if (Either.isLeft(stands) && stands.left._tag === "Unread") return Either.left(stands.left)
    if (Either.isRight(stands) && stands.right) return Either.right(found)
  }
  return givenUp ? Either.left({ _tag: "GivenUp" }) : vaultBelow(list, target, (link) => linkedVault(view, contract, link), readLimit)
}
