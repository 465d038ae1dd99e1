import type { xdr } from "@stellar/stellar-sdk"

/** What an endpoint says of an account: that it was so in every ledger from one to another. */
export interface AccountStatement {
  /** The origin of the endpoint. */
  readonly by: string
  /** The ledger that changed the account last. */
  readonly from: number
  /** The ledger of the answer. */
  readonly to: number
  /** Its whole entry, in base64; null: there is no such account. */
  readonly entry: string | null
}

/** What an endpoint said with an answer of some ledger. That there is no account is said of that ledger alone. */
export const statementOf = (by: string, ledger: number, entry: xdr.LedgerEntry | null): AccountStatement =>
  entry === null
    ? { by, from: ledger, to: ledger, entry: null }
    : { by, from: entry.lastModifiedLedgerSeq, to: ledger, entry: entry.toXdr("base64") }

/** Whether two statements cannot both be true. Being older is no contradiction. */
export const contradict = (one: AccountStatement, other: AccountStatement): boolean =>
  Math.max(one.from, other.from) <= Math.min(one.to, other.to) && one.entry !== other.entry

/** What was said of an account. */
export interface Hearing {
  /** By the newest answers. */
  readonly current: ReadonlyArray<AccountStatement>
  /** By these and by the answers before them. */
  readonly all: ReadonlyArray<AccountStatement>
}

const originsOf = (statements: ReadonlyArray<AccountStatement>): ReadonlyArray<string> => [...new Set(statements.map(({ by }) => by))]

/** Whose newest answers contradict what an origin said at any time. */
const contradictors = (origin: string, { all, current }: Hearing): ReadonlyArray<string> => {
  const own = all.filter(({ by }) => by === origin)
  return originsOf(current.filter((other) => own.some((one) => contradict(one, other))))
}

/** Whether anyone contradicts an origin. */
export const isContradicted = (origin: string, hearing: Hearing): boolean => contradictors(origin, hearing).length > 0

/** Whether most origins contradict one: never one of two. Of three that all differ each is outvoted. */
export const isOutvoted = (origin: string, hearing: Hearing): boolean =>
  2 * contradictors(origin, hearing).length > originsOf(hearing.current).length
