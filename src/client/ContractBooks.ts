import type { Network } from "../domain/Network.ts"
import type { ContractBook } from "../operations/Expected.ts"
import mainnet from "../registry/contracts.mainnet.json" with { type: "json" }
import testnet from "../registry/contracts.testnet.json" with { type: "json" }

type Grouped = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>

/** A contracts file, as far as a book is made of it. */
export interface ContractsFile {
  readonly protocols: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>> | string>>
  readonly code?: Grouped
  readonly tokens: ReadonlyArray<string> | string
}

/** The contracts that a contracts file lists, for instance the operator's own. */
export const contractBookOf = ({ code = {}, protocols, tokens }: ContractsFile): ContractBook => ({
  protocols: Object.fromEntries(Object.entries(protocols).flatMap(([name, roles]) => (typeof roles === "string" ? [] : [[name, roles]]))),
  code,
  tokens: typeof tokens === "string" ? [] : tokens,
  pairs: {}
})

/** What this package lists of the two public networks. */
export const contractBooks: Readonly<Record<Network, ContractBook>> = {
  mainnet: contractBookOf(mainnet),
  testnet: contractBookOf(testnet)
}
