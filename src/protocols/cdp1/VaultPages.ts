import { Either } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { bool, symbol, u32, vec } from "../../stellar/ScValCodec.ts"
import { getterValue } from "../kit/LedgerView.ts"
import type { LedgerView, OpenQuestions } from "../kit/LedgerView.ts"
import { Vault } from "./Vault.ts"
import { OptionalVaultKey, sameVault } from "./VaultKey.ts"
import type { VaultKey } from "./VaultKey.ts"
import { walkLimit } from "./VaultListWalk.ts"

/** Vaults asked for at once. */
const pageSize = 80

const mostPages = Math.ceil(walkLimit / (pageSize - 1))

/** The vaults from one upwards (`get_vaults(prev_key, denomination, total, only_to_liquidate)`); null: from the lowest. */
export const vaultsFrom = (contract: ContractAddress, denomination: string, from: VaultKey | null): Getter => ({
  contract,
  function: "get_vaults",
  args: [OptionalVaultKey.encode(from), symbol.encode(denomination), u32.encode(pageSize), bool.encode(false)]
})

/** The vaults of a list by their owners. */
export type VaultsByOwner = ReadonlyMap<string, Vault>

/**
 * Vaults from the lowest up to the one below the target, a page a trip, as the contract tells them; as far as it tells them, where it
 * fails or says what does not go on. Nobody vouches for any of it: what is made of it must be confirmed by entries. A page begins with
 * the vault that was the last, or behind it: either is understood.
 */
export const pagedVaults = (view: LedgerView, contract: ContractAddress, target: VaultKey): Either.Either<VaultsByOwner, OpenQuestions> => {
  const told = new Map<string, Vault>()
  let from: VaultKey | null = null
  for (let page = 0; page < mostPages; page++) {
    const answer: Either.Either<ReadonlyArray<Vault> | null, OpenQuestions> = getterValue(
      view,
      vaultsFrom(contract, target.denomination, from),
      vec(Vault)
    )
    if (Either.isLeft(answer)) return Either.left(answer.left)
    const more: ReadonlyArray<Vault> = (answer.right ?? []).filter(({ key }) => !told.has(key.account))
    for (const vault of more) told.set(vault.key.account, vault)
    const last: Vault | undefined = more.at(-1)
    if (last === undefined || last.next === null || more.some(({ next }) => next !== null && sameVault(next, target))) break
    from = last.key
  }
  return Either.right(told)
}
