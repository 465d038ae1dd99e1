import type { Lie, Told } from "./LyingSources.ts"

export type Body = Readonly<Record<string, unknown>>

const bodyOf = ({ body }: Told): Body => body as Body

/** The ledger API with other transactions of an account; all other answers are honest. */
export const withHistory =
  (address: string, change: (records: ReadonlyArray<Body>, asked: URLSearchParams) => ReadonlyArray<Body>): Lie => (asked, honest) => {
    const url = new URL(asked, "http://api.invalid")
    if (url.pathname !== `/accounts/${address}/transactions`) return honest
    const { records } = bodyOf(honest)["_embedded"] as { readonly records: ReadonlyArray<Body> }
    return { ...honest, body: { _embedded: { records: change(records, url.searchParams) } } }
  }

/** The contract RPC with another answer to one method. */
export const withAnswer = (method: string, change: (result: Body) => Body): Lie => (asked, honest) =>
  asked === method ? { ...honest, body: { ...bodyOf(honest), result: change(bodyOf(honest)["result"] as Body) } } : honest

export const leavesOut = withAnswer("getLedgerEntries", (result) => ({ ...result, entries: [] }))
