import type { ContractBook } from "../operations/Expected.ts"
import mainnet from "../registry/contracts.mainnet.json" with { type: "json" }
import testnet from "../registry/contracts.testnet.json" with { type: "json" }

/** By protocol; a text where there is none of it on the network. */
type Rows = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>> | string>>

/** A contracts file as far as calls go. */
interface ContractsFile {
  readonly protocols: Rows
  readonly code?: Rows
  readonly tokens: ReadonlyArray<string> | string
}

const rowsOf = (rows: Rows): ContractBook["protocols"] =>
  Object.fromEntries(Object.entries(rows).flatMap(([name, row]) => (typeof row === "string" ? [] : [[name, row]])))

const bookIn = ({ code = {}, protocols, tokens }: ContractsFile): ContractBook => ({
  protocols: rowsOf(protocols),
  code: rowsOf(code),
  tokens: typeof tokens === "string" ? [] : tokens,
  pairs: {}
})

const files: Readonly<Record<"mainnet" | "testnet", ContractsFile>> = { mainnet, testnet }

/** The contracts that this version of the package knows of a network. */
export const contractsOf = (network: "mainnet" | "testnet"): ContractBook => bookIn(files[network])
