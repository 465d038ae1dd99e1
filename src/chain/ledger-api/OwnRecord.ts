import { Effect, Option, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { Ask } from "./Ask.ts"
import { Int64Text } from "./Fields.ts"
import { pageOf, pageSize } from "./Page.ts"

/** A transaction that concerned an account, applied or failed, as the ledger API tells it, its envelope not decoded yet. */
const Resource = Schema.Struct({
  ledger: Schema.Int,
  paging_token: Int64Text,
  successful: Schema.Boolean,
  source_account: AccountAddress,
  source_account_sequence: Int64Text,
  /** Base64. */
  envelope_xdr: Schema.String
})
export type OwnRecord = typeof Resource.Type

const Page = pageOf(Resource)

const Root = Schema.Struct({ history_elder_ledger: Schema.Int })

/** Where a page of history begins: the newest of all, those before a paging token, or those after one. */
export type HistoryCursor = { readonly before?: bigint } | { readonly after: bigint }

const isFurther = (descends: boolean) => (one: bigint, other: bigint): boolean => (descends ? other < one : other > one)

/** A page of `/accounts/{id}/transactions?include_failed=true`, the newest first, after a token the oldest first. */
export const history = (ask: Ask) => (address: AccountAddress, cursor: HistoryCursor): Effect.Effect<ReadonlyArray<OwnRecord>, ChainFailure> =>
  Effect.gen(function*() {
    const from = "after" in cursor ? cursor.after : cursor.before
    const descends = !("after" in cursor)
    const found = yield* ask.findHistory({
      path: ["accounts", address, "transactions"],
      parameters: [
        ["include_failed", "true"],
        ["order", descends ? "desc" : "asc"],
        ["limit", String(pageSize)],
        ...(from === undefined ? [] : [["cursor", from.toString()] as const])
      ]
    }, Page)
    const records = Option.match(found, { onNone: () => [], onSome: ({ _embedded }) => _embedded.records })
    const tokens = [...(from === undefined ? [] : [from]), ...records.map(({ paging_token }) => paging_token)]
    const inOrder = tokens.every((token, at) => at === 0 || isFurther(descends)(tokens[at - 1] ?? 0n, token))
    return inOrder ? records : yield* new UpstreamUnusable({ source: "ledger_api" })
  })

/** The oldest ledger whose transactions the ledger API keeps (`/`). */
export const elderLedger = (ask: Ask): Effect.Effect<number, ChainFailure> =>
  Effect.map(ask.history({ path: [] }, Root), ({ history_elder_ledger }) => history_elder_ledger)
