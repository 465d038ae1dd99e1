import type { ContractAddress } from "../../domain/Address.ts"

/**
 * Who made a transaction in an account's history: the account, which signed it; someone else, with an entry by which the account seems to
 * agree; or a stranger. Anyone can put such an entry into a call that does not need it, and the ledger then looks at no signature.
 */
export type Author = "account" | "agreed" | "stranger"

/** Contracts that transactions named with what the account has there, by who made these transactions. */
export interface NamedContracts {
  readonly account: ReadonlySet<ContractAddress>
  readonly agreed: ReadonlySet<ContractAddress>
  readonly stranger: ReadonlySet<ContractAddress>
  /** Whether others named more than are remembered. */
  readonly isCrowded: boolean
}

/** The contracts that a history names. */
export interface Names {
  readonly contracts: NamedContracts
  /** Contracts that calls of its own, which succeeded, had to do with. */
  readonly called: ReadonlySet<ContractAddress>
  /** The same of calls that transactions of others carried, which used up none of its sequence numbers: the newest ledger of each contract. */
  readonly carried: ReadonlyMap<ContractAddress, number>
}

/** Nothing was named yet. */
export const noContracts: NamedContracts = { account: new Set(), agreed: new Set(), stranger: new Set(), isCrowded: false }

/** Contracts that are remembered at most of what one kind of author named. */
const most: Readonly<Record<Author, number>> = { account: Number.POSITIVE_INFINITY, agreed: 500, stranger: 500 }

const authors: ReadonlyArray<Author> = ["account", "agreed", "stranger"]

/** All of them once: those that the account itself named come first. */
export const allNamed = (
  named: NamedContracts
): ReadonlyArray<ContractAddress> => [...new Set(authors.flatMap((author) => [...named[author]]))]

/** What one record says of contracts. */
interface Naming {
  readonly author: Author
  readonly ledger: number
  /** The sequence number of the account that it used up; null: none. */
  readonly sequence: bigint | null
  /** Contracts that a call of its own, which succeeded, had to do with. */
  readonly called: ReadonlyArray<ContractAddress>
}

/** Gathers names from record to record in place. Strangers choose how many records there are, so nothing is copied for each. */
export class NameGathering {
  private readonly sets = { account: new Set<ContractAddress>(), agreed: new Set<ContractAddress>(), stranger: new Set<ContractAddress>() }
  private isCrowded = false
  private readonly allCalled = new Set<ContractAddress>()
  private readonly allCarried = new Map<ContractAddress, number>()

  /** Takes what the next older record names. */
  take({ author, called, ledger, sequence }: Naming, contracts: Iterable<ContractAddress>): void {
    this.add(author, contracts)
    for (const one of called) {
      this.allCalled.add(one)
      if (sequence === null) this.carry(one, ledger)
    }
  }

  /** Takes everything that was named before. */
  takeAll({ called, carried, contracts }: Names): void {
    for (const author of authors) this.add(author, contracts[author])
    this.isCrowded ||= contracts.isCrowded
    for (const one of called) this.allCalled.add(one)
    for (const [one, ledger] of carried) this.carry(one, ledger)
  }

  /** What was gathered so far. Its sets grow with what is taken afterwards. */
  get names(): Names {
    return { contracts: { ...this.sets, isCrowded: this.isCrowded }, called: this.allCalled, carried: this.allCarried }
  }

  /** What was taken before is newer. */
  private carry(contract: ContractAddress, ledger: number): void {
    if (!this.allCarried.has(contract)) this.allCarried.set(contract, ledger)
  }

  private add(author: Author, contracts: Iterable<ContractAddress>): void {
    const set = this.sets[author]
    for (const one of contracts) {
      if (set.has(one)) continue
      if (set.size < most[author]) set.add(one)
      else this.isCrowded = true
    }
  }
}
