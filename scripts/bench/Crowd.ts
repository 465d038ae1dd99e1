import { Console, Effect } from "effect"
import type { Order, Seen } from "./crowd/Driver.ts"
import { type NetworkElsewhere, servingOf } from "./ServedHere.ts"
import { median, millis, percentile, row } from "./Table.ts"
import { thread } from "./Thread.ts"

/** Counts of parallel reads: some to warm up, then a single one, then many. */
const crowds = [20, 1, 300, 1000] as const

/** Parallel reads of accounts, and plans beside them, over sources that answer from memory. The service has this thread to itself. */
export const crowd = Effect.scoped(Effect.gen(function*() {
  const { hear, tell } = yield* thread<NetworkElsewhere | Seen>(new URL("./crowd/Driver.ts", import.meta.url))
  const network = yield* hear
  if ("reads" in network) return yield* Effect.dieMessage("the network comes first")
  const { key, url } = yield* servingOf(network)
  yield* Console.log("Reads of accounts at once, and a plan beside them every 250 ms; busy: 503 service_busy with Retry-After.")
  yield* Console.log(
    "Goals: no outage (any other failure); plans beside them p99 below 10 s. Ratio: p99 beside the time of a plan beside one read."
  )
  yield* Console.log(row(["reads at once", "answered", "busy", "outages", "the last", "plans", "busy", "outages", "p99", "ratio"]))
  let alone = Number.NaN
  for (const [round, reads] of crowds.entries()) {
    const order: Order = { url, key, reads }
    yield* tell(order)
    const seen = yield* hear
    if (!("reads" in seen)) return yield* Effect.dieMessage("what was seen is told")
    if (round === 0) continue
    if (reads === 1) alone = median(seen.planMillis)
    const slowest = percentile(seen.planMillis, 0.99)
    const cells = (counts: Seen["reads"]) => {
      const [answered, busy, all] = [
        counts["200"] ?? 0,
        counts["service_busy"] ?? 0,
        Object.values(counts).reduce((sum, one) => sum + one, 0)
      ]
      return [String(answered), String(busy), String(all - answered - busy)]
    }
    yield* Console.log(
      row([String(reads), ...cells(seen.reads), millis(seen.millis), ...cells(seen.plans), millis(slowest), (slowest / alone).toFixed(1)])
    )
  }
}))
