import { Effect, Option, type Schema } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { Ask } from "./Ask.ts"
import { pageSize } from "./Page.ts"

/** Where a page of history begins: the newest of all, those before a paging token, or those after one. */
export type HistoryCursor = { readonly before?: bigint } | { readonly after: bigint }

/** Which transactions of an account's history a page holds. */
export interface HistoryPage {
  readonly cursor: HistoryCursor
  /** Those that failed as well. */
  readonly failed: boolean
  readonly limit?: number
}

type PageSchema<A, I> = Schema.Schema<{ readonly _embedded: { readonly records: ReadonlyArray<A> } }, I>

/**
 * A page of `/accounts/{id}/transactions`, the newest first, after a token the oldest first; empty for an account that it never knew. One
 * that is not in that order is `UpstreamUnusable`: no one knows what it leaves out.
 */
export const historyPage =
  <A extends { readonly paging_token: bigint }, I>(ask: Ask, schema: PageSchema<A, I>) =>
  (address: AccountAddress, { cursor, failed, limit = pageSize }: HistoryPage): Effect.Effect<ReadonlyArray<A>, ChainFailure> =>
    Effect.gen(function*() {
      const descends = !("after" in cursor)
      const from = "after" in cursor ? cursor.after : cursor.before
      const parameters = [
        ["order", descends ? "desc" : "asc"],
        ...(failed ? [["include_failed", "true"] as const] : []),
        ["limit", String(limit)],
        ...(from === undefined ? [] : [["cursor", from.toString()] as const])
      ] as const
      const found = yield* ask.findHistory({ path: ["accounts", address, "transactions"], parameters }, schema)
      const records = Option.match(found, { onNone: () => [], onSome: ({ _embedded }) => _embedded.records })
      const tokens = [...(from === undefined ? [] : [from]), ...records.map(({ paging_token }) => paging_token)]
      const isFurther = (one: bigint, other: bigint): boolean => (descends ? other < one : other > one)
      const inOrder = tokens.every((token, at) => at === 0 || isFurther(tokens[at - 1] ?? 0n, token))
      return inOrder ? records : yield* new UpstreamUnusable({ source: "ledger_api" })
    })
