import { Effect } from "effect"
import type { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { maxLedgersPerCall } from "../../src/chain/RpcPolicy.ts"
import type { ContractAddress } from "../../src/domain/Address.ts"
import { announcedIn, ScanRefused, type ScanSource } from "./ScanSource.ts"

/** `getEvents` of the configured endpoints, which usually keep a week. */
export const eventsSource = (rpc: ContractRpc["Type"]): ScanSource => ({
  name: "getEvents of the configured endpoints",
  window: maxLedgersPerCall,
  keeps: Effect.map(rpc.retention, ({ latestLedger, oldestLedger }) => ({ from: oldestLedger, to: latestLedger + 1 })),
  read: ({ contracts, topics }, { from, to }) =>
    Effect.gen(function*() {
      const announced: Array<ContractAddress> = []
      for (let next = from; next < to;) {
        const answer = yield* rpc.events({ contracts, topics, from: next, to })
        if (answer.from > next || answer.to <= next) return yield* new ScanRefused({ reason: `it does not tell of ledger ${next}` })
        announced.push(...(yield* announcedIn(answer.events.map(({ data }) => data))))
        next = answer.to
      }
      return { announced, possible: [] }
    })
})
