import type { ContractAddress } from "../domain/Address.ts"

/** Assets' contracts that were met lately. */
const mostKnown = 10_000

/**
 * Token contracts that stand for assets of the ledger. That an address is the contract of an asset can be reckoned from the asset's name and
 * never changes, so what was found once need not be read again.
 */
export interface KnownAssets {
  readonly has: (token: ContractAddress) => boolean
  readonly add: (token: ContractAddress) => void
}

/** Of a network of which only these are known; the oldest of the others is forgotten first. */
export const knownAssets = (...always: ReadonlyArray<ContractAddress>): KnownAssets => {
  const met = new Set<ContractAddress>()
  return {
    has: (token) => always.includes(token) || met.has(token),
    add: (token) => {
      met.add(token)
      const [oldest] = met
      if (met.size > mostKnown && oldest !== undefined) met.delete(oldest)
    }
  }
}
