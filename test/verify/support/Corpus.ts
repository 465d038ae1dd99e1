import { readFileSync } from "node:fs"
import type { ContractBook, Expected } from "../../../src/operations/Expected.ts"
import type { Case } from "./Case.ts"

/** A stored case: a book that several cases share is stored once. */
interface Kept extends Omit<Case, "expected"> {
  readonly expected: Omit<Expected, "contracts"> & { readonly contracts: number }
}

interface Corpus {
  readonly books: ReadonlyArray<ContractBook>
  readonly cases: ReadonlyArray<Kept>
}

/** As JSON, which has no integers of this size. */
export const written = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? { bigint: one.toString() } : one))

const isBigint = (value: unknown): value is { readonly bigint: string } =>
  typeof value === "object" && value !== null && Object.keys(value).join() === "bigint"

/** Parses the text of {@link written}. */
export const readBack = (text: string): unknown => JSON.parse(text, (_, one: unknown) => (isBigint(one) ? BigInt(one.bigint) : one))

/** The path of the corpus. */
export const corpusFile = new URL("../corpus.json", import.meta.url)

/** The corpus of some cases. */
export const corpusOf = (cases: ReadonlyArray<Case>): Corpus => {
  const books = [...new Map(cases.map(({ expected: { contracts } }) => [written(contracts), contracts]))]
  return {
    books: books.map(([, book]) => book),
    cases: cases.map((one) => ({
      ...one,
      expected: { ...one.expected, contracts: books.findIndex(([text]) => text === written(one.expected.contracts)) }
    }))
  }
}

/** Transactions that the service built in the test run, each with its caller's expectations. `MakeCorpus.ts` rebuilds the file. */
export const readCorpus = (): ReadonlyArray<Case> => {
  const { books, cases } = readBack(readFileSync(corpusFile, "utf8")) as Corpus
  const none: ContractBook = { protocols: {}, code: {}, tokens: [], pairs: {} }
  return cases.map((one) => ({ ...one, expected: { ...one.expected, contracts: books[one.expected.contracts] ?? none } }))
}
