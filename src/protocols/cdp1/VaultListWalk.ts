import { Either } from "effect"
import type { Vault } from "./Vault.ts"
import { sameVault } from "./VaultKey.ts"
import type { VaultKey } from "./VaultKey.ts"
import type { VaultList } from "./VaultSettings.ts"

/** The most vaults that are looked at to find the one below. */
export const walkLimit = 500

/** The most that are read one after another, each after the one before was read: what is further is not found before a deadline. */
export const readLimit = 60

/**
 * A list of vaults that cannot be followed to the vault looked for. Vaults are moved and taken away by others at any time, so a list
 * read while it changed looks the same as a broken one: reading again may help.
 */
export interface ListFault {
  readonly _tag: "ListFault"
  readonly fault:
    /** The list says it has no vaults. */
    | "empty"
    /** The end was reached before the vault. */
    | "tail_reached"
    /** A link leads to an owner already passed. */
    | "cyclic"
    /** More vaults than the list says it has. */
    | "oversized"
    /** More vaults than are ever walked. */
    | "too_long"
    /** A link leads to no vault. */
    | "missing_link"
    /** A link leads to another vault than it names, into another denomination, or to an old index of the vault looked for. */
    | "foreign_link"
  /** How many vaults were passed. */
  readonly walked: number
}

/** Whether a link leads to another denomination, or to an old index of the vault looked for. */
const isForeign = (link: VaultKey, target: VaultKey): boolean =>
  link.denomination !== target.denomination || link.account === target.account

/** What keeps a link from being followed; null when nothing does. */
const linkFault = (
  link: VaultKey,
  target: VaultKey,
  passed: ReadonlySet<string>,
  { limit, totalVaults }: { readonly totalVaults: bigint; readonly limit: number }
): ListFault["fault"] | null => {
  if (isForeign(link, target)) return "foreign_link"
  if (passed.has(link.account)) return "cyclic"
  if (BigInt(passed.size) >= totalVaults) return "oversized"
  return passed.size >= limit ? "too_long" : null
}

/**
 * The vault below the target, which `pay_debt` needs as `prev_key`; null when the target is the lowest. Follows `next` upwards from
 * the lowest vault, at most as far as the list says it is long. The contract compares the whole link with the vault it leads to.
 */
export const vaultBelow = <E>(
  list: VaultList,
  target: VaultKey,
  vaultAt: (key: VaultKey) => Either.Either<Vault | null, E>,
  limit = walkLimit
): Either.Either<VaultKey | null, E | ListFault> => {
  const passed = new Set<string>()
  const broken = (fault: ListFault["fault"]) => Either.left<ListFault>({ _tag: "ListFault", fault, walked: passed.size })
  if (list.lowest === null) return broken("empty")
  if (sameVault(list.lowest, target)) return Either.right(null)
  let at = list.lowest
  while (true) {
    const fault = linkFault(at, target, passed, { totalVaults: list.totalVaults, limit })
    if (fault !== null) return broken(fault)
    const vault = vaultAt(at)
    if (Either.isLeft(vault)) return Either.left(vault.left)
    passed.add(at.account)
    if (vault.right === null) return broken("missing_link")
    if (!sameVault(vault.right.key, at)) return broken("foreign_link")
    const next = vault.right.next
    if (next === null) return broken("tail_reached")
    if (sameVault(next, target)) return Either.right(at)
    at = next
  }
}
