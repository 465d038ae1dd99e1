import { Effect, Schema } from "effect"
import type { Call } from "../../src/chain/contract-rpc/JsonRpc.ts"
import { getRetention } from "../../src/chain/contract-rpc/Retention.ts"
import { ScValText } from "../../src/chain/xdr/XdrText.ts"
import type { ContractAddress } from "../../src/domain/Address.ts"
import { announcedIn, ScanRefused, type ScanSource } from "./ScanSource.ts"

const Page = Schema.Struct({
  events: Schema.Array(Schema.Struct({ value: ScValText })),
  cursor: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })
})

/** Most events of one page. */
const limit = 1_000

/** Ledgers in one request: the server searches all of them by an index. */
const window = 1_000_000

/**
 * `queryEvents`, which contract RPCs with archive storage answer (beta) as far back as their storage reaches. A query continues with only
 * the cursor of its last page, and is complete once a page has none.
 */
export const queryEventsSource = (call: Call, url: URL): ScanSource => ({
  name: `queryEvents of ${url.origin}`,
  window,
  keeps: Effect.map(getRetention(call)(url), ({ latestLedger }) => ({ from: 2, to: latestLedger + 1 })),
  read: ({ contracts, topics }, { from, to }) =>
    Effect.gen(function*() {
      const filters = [{ type: "contract", contractIds: contracts, topics: [topics.map((topic) => topic.toXdr("base64"))] }]
      const announced: Array<ContractAddress> = []
      let params: object = { minLedger: from, maxLedger: to - 1, order: "asc", filters, limit }
      for (let before: string | null = null;;) {
        const { cursor, events } = yield* call("queryEvents", params, Page)(url)
        announced.push(...(yield* announcedIn(events.map(({ value }) => value))))
        if (cursor === null || cursor === "") return { announced, possible: [] }
        if (cursor === before) return yield* new ScanRefused({ reason: "its cursor does not advance" })
        before = cursor
        params = { cursor, limit }
      }
    })
})
