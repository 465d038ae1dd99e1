import { Either } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { bool, symbol, u32, vec } from "../../stellar/ScValCodec.ts"
import { getterValue, type LedgerView, type OpenQuestions, type Unusable } from "../kit/LedgerView.ts"
import { linkedVault } from "./HeldVault.ts"
import { Vault } from "./Vault.ts"
import { OptionalVaultKey, sameVault, type VaultKey } from "./VaultKey.ts"
import { type ListFault, readLimit, vaultBelow, walkLimit } from "./VaultListWalk.ts"
import type { VaultList } from "./VaultSettings.ts"

/** Vaults asked for at once. */
const pageSize = 80

const mostPages = Math.ceil(walkLimit / (pageSize - 1))

/** The vaults from one upwards (`get_vaults(prev_key, denomination, total, only_to_liquidate)`); null: from the lowest. */
const vaultsFrom = (contract: ContractAddress, denomination: string, from: VaultKey | null): Getter => ({
  contract,
  function: "get_vaults",
  args: [OptionalVaultKey.encode(from), symbol.encode(denomination), u32.encode(pageSize), bool.encode(false)]
})

/** The vaults of a list by their owners. */
type VaultsByOwner = ReadonlyMap<string, Vault>

/**
 * Vaults from the lowest up to the one below the target, a page a trip, as the contract reports them; only some of them where it fails, or
 * where its pages do not connect. It is one source's word: entries must confirm what is made of it. A page begins with
 * the vault that was the last, or behind it: either is understood.
 */
const pagedVaults = (view: LedgerView, contract: ContractAddress, target: VaultKey): Either.Either<VaultsByOwner, OpenQuestions> => {
  const vaults = new Map<string, Vault>()
  let from: VaultKey | null = null
  for (let page = 0; page < mostPages; page++) {
    const answer: Either.Either<ReadonlyArray<Vault> | null, OpenQuestions> = getterValue(
      view,
      vaultsFrom(contract, target.denomination, from),
      vec(Vault)
    )
    if (Either.isLeft(answer)) return Either.left(answer.left)
    const more: ReadonlyArray<Vault> = (answer.right ?? []).filter(({ key }) => !vaults.has(key.account))
    for (const vault of more) vaults.set(vault.key.account, vault)
    const last: Vault | undefined = more.at(-1)
    if (last === undefined || last.next === null || more.some(({ next }) => next !== null && sameVault(next, target))) break
    from = last.key
  }
  return Either.right(vaults)
}

/** Why the vault below is not known: something is unread or does not decode, the list is at fault, or no one looks for it. */
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
  const vaults = pagedVaults(view, contract, target)
  if (Either.isLeft(vaults)) return Either.left(vaults.left)
  const candidate = vaultBelow(list, target, ({ account }) => Either.right(vaults.right.get(account) ?? null))
  if (Either.isRight(candidate) && candidate.right !== null) {
    const found = candidate.right
    const stands = confirmed(view, contract, found, target)
    if (Either.isLeft(stands) && stands.left._tag === "Unread") return Either.left(stands.left)
    if (Either.isRight(stands) && stands.right) return Either.right(found)
  }
  return givenUp ? Either.left({ _tag: "GivenUp" }) : vaultBelow(list, target, (link) => linkedVault(view, contract, link), readLimit)
}
