import type { ContractBook } from "../operations/Expected.ts"

/** By protocol; a text where there is none of it on the network. */
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

/** A contract that a caller has looked at itself: which code runs there, and of a pool of two tokens which these are. */
export interface SeenContract {
  readonly contract: string
  /** SHA-256 of the wasm that runs there, hex. */
  readonly wasmHash: string
  /** The tokens of a pool whose calls do not name what they pay. */
  readonly pair?: readonly [string, string]
}

/** The role in which contracts of a kind of code are called, by protocol; of others the kind itself. */
const roles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lend_1: { backstopV1: "backstop", backstopV2: "backstop" },
  amm_1: { constantProductPool: "pool", stablePool: "pool", concentratedPool: "pool", leftConcentratedPool: "pool" },
  amm_3: { historyStake: "stake", pointsStake: "stake" }
}

const kindsOf = ({ code }: ContractBook, wasmHash: string): ReadonlyArray<{ readonly protocol: string; readonly kind: string }> =>
  Object.entries(code).flatMap(([protocol, kinds]) =>
    Object.entries(kinds).filter(([, hashes]) => hashes.includes(wasmHash)).map(([kind]) => ({ protocol, kind }))
  )

const listed = (
  book: ContractBook,
  { protocol, role }: { readonly protocol: string; readonly role: string },
  contract: string
): ContractBook => {
  const of = book.protocols[protocol] ?? {}
  return { ...book, protocols: { ...book.protocols, [protocol]: { ...of, [role]: [...(of[role] ?? []), contract] } } }
}

type Kind = ReturnType<typeof kindsOf>[number]

const grown = (book: ContractBook, { contract, pair, wasmHash }: SeenContract, isTaken: (one: Kind) => boolean): ContractBook =>
  kindsOf(book, wasmHash).filter(isTaken).reduce(
    (all, { kind, protocol }) => listed(all, { protocol, role: roles[protocol]?.[kind] ?? kind }, contract),
    pair === undefined ? book : { ...book, pairs: { ...book.pairs, [contract]: pair } }
  )

/**
 * A book with a contract more, in the role that its code has. A contract that runs code which the book does not list is not added:
 * nothing is known of what it does.
 */
export const withContract = (book: ContractBook, seen: SeenContract): ContractBook => grown(book, seen, () => true)

/** Kinds of code through which accounts trade, and in which no position lies. */
const traders: ReadonlySet<string> = new Set(["router", "factory", "poolFactory"])

/**
 * The same for a contract of which a service says that a position lies in it: never in the role of a router. Anyone can deploy a router of
 * known code, and change that code between the look at it and the sale.
 */
export const withPosition = (book: ContractBook, seen: SeenContract): ContractBook => grown(book, seen, ({ kind }) => !traders.has(kind))
