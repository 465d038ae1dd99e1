import type { ContractBook } from "../operations/Expected.ts"

type Rows = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>> | string>>

/** A contracts file, as far as a book is made of it; a text stands where there is none of it on the network. */
export interface ContractsFile {
  readonly protocols: Rows
  readonly code?: Rows
  readonly tokens: ReadonlyArray<string> | string
}

const rowsOf = (rows: Rows): ContractBook["protocols"] =>
  Object.fromEntries(Object.entries(rows).flatMap(([name, row]) => (typeof row === "string" ? [] : [[name, row]])))

/** The contracts that a contracts file lists, for instance those of a sandbox. */
export const contractBookOf = ({ code = {}, protocols, tokens }: ContractsFile): ContractBook => ({
  protocols: rowsOf(protocols),
  code: rowsOf(code),
  tokens: typeof tokens === "string" ? [] : tokens,
  pairs: {}
})
