import { type Effect, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { Int } from "../../domain/Leaf.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { Ask } from "./Ask.ts"
import { Int64Text } from "./Fields.ts"
import { type HistoryCursor, historyPage } from "./HistoryPage.ts"
import { pageOf } from "./Page.ts"

/** A transaction that concerned an account, applied or failed, as the ledger API tells it, its envelope not decoded yet. */
const Resource = Schema.Struct({
  ledger: Int,
  paging_token: Int64Text,
  successful: Schema.Boolean,
  source_account: AccountAddress,
  source_account_sequence: Int64Text,
  /** Base64. */
  envelope_xdr: Schema.String
})
export type OwnRecord = typeof Resource.Type

const Page = pageOf(Resource)

/** A page of history, failed transactions too, the newest first, after a token the oldest first. */
export const history =
  (ask: Ask) => (address: AccountAddress, cursor: HistoryCursor): Effect.Effect<ReadonlyArray<OwnRecord>, ChainFailure> =>
    historyPage(ask, Page)(address, { cursor, failed: true })
