import { Effect, Schema } from "effect"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import { listInTurns } from "../pace/Turns.ts"
import type { Ask, Question } from "./Ask.ts"

/** The most records a page holds. */
export const pageSize = 200

/** A list read page by page. */
export interface Pages<A> {
  readonly records: ReadonlyArray<A>
  /** False when there were more pages than were wanted. */
  readonly complete: boolean
  /** Where the list continues when it is not complete. */
  readonly next: string
  /** The least `Latest-Ledger` of all pages. */
  readonly latestLedger: number
  /** The greatest `Latest-Ledger` of all pages: each may come from another endpoint. */
  readonly newestLedger: number
}

/** A page of records. To be made once a record, not once a request: a schema costs more to make than to use. */
export const pageOf = <A, I>(record: Schema.Schema<A, I>) =>
  Schema.Struct({ _embedded: Schema.Struct({ records: listInTurns(record).pipe(Schema.maxItems(pageSize)) }) })

/** A part of a list: from a cursor on instead of from its start, and so many pages at most instead of all. */
export interface Stretch {
  readonly cursor?: string
  readonly maxPages?: number
}

/**
 * A list from its start, in ascending order, until a page is not full. Cursors are the records' own paging tokens, so each page may
 * come from another endpoint. A cursor that comes twice is `UpstreamUnusable`: the list would never end.
 */
export const pagesOf = <A extends { readonly paging_token: string }, I>(
  ask: Ask,
  question: Question,
  schema: Schema.Schema<{ readonly _embedded: { readonly records: ReadonlyArray<A> } }, I>,
  { cursor: start = "", maxPages = Number.POSITIVE_INFINITY }: Stretch = {}
): Effect.Effect<Pages<A>, ChainFailure> =>
  Effect.gen(function*() {
    const records: Array<A> = []
    const cursors = new Set<string>()
    let [latestLedger, newestLedger] = [Number.POSITIVE_INFINITY, 0]
    for (let page = 0, cursor = start;; page++) {
      const paging = [["limit", String(pageSize)], ["order", "asc"], ...(cursor === "" ? [] : [["cursor", cursor] as const])] as const
      const answer = yield* ask.one({ path: question.path, parameters: [...(question.parameters ?? []), ...paging] }, schema)
      const found = answer.value._embedded.records
      records.push(...found)
      latestLedger = Math.min(latestLedger, answer.latestLedger)
      newestLedger = Math.max(newestLedger, answer.latestLedger)
      const last = found.at(-1)
      if (last === undefined || found.length < pageSize) return { records, complete: true, next: cursor, latestLedger, newestLedger }
      if (last.paging_token === cursor || cursors.has(last.paging_token)) return yield* new UpstreamUnusable({ source: "ledger_api" })
      cursors.add(last.paging_token)
      cursor = last.paging_token
      if (page + 1 >= maxPages) return { records, complete: false, next: cursor, latestLedger, newestLedger }
    }
  })
