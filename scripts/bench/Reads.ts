import { Console, Duration, Effect } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { accountWith, type Holding } from "./Accounts.ts"
import { readerOver } from "./Reader.ts"
import { median, row } from "./Table.ts"
import { depthOf, forcedPages, makeUpstream } from "./Upstream.ts"

const latency = 25
const runs = 5

const scenarios: ReadonlyArray<readonly [string, Holding]> = [
  ["nothing but lumens", { lines: 0, offers: 0, data: 0, claimable: 0, sponsored: 0 }],
  ["30 entries", { lines: 10, offers: 10, data: 7, claimable: 3, sponsored: 0 }],
  ["30 entries, sponsors 10", { lines: 10, offers: 10, data: 7, claimable: 3, sponsored: 10 }],
  ["1000 sub-entries, 200 claimable", { lines: 300, offers: 500, data: 200, claimable: 200, sponsored: 0 }],
  ["3000 claimable balances", { lines: 0, offers: 0, data: 0, claimable: 3000, sponsored: 0 }]
]

const measure = (name: string, holding: Holding) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    return yield* Effect.gen(function*() {
      const account = yield* accountWith(holding)
      const reader = yield* AccountReader
      const read = reader.read(AccountAddress.make(account.publicKey()), [])
      yield* read
      yield* upstream.take
      yield* upstream.replay
      const timed = yield* Effect.forEach(Array.from({ length: runs }), () =>
        Effect.gen(function*() {
          const [elapsed] = yield* Effect.timed(read)
          return { wall: Duration.toMillis(elapsed), exchanges: yield* upstream.take }
        }))
      const [last] = timed.toReversed()
      if (last === undefined) return
      const depth = depthOf(last.exchanges)
      const wall = median(timed.map((one) => one.wall))
      const bytes = last.exchanges.reduce((sum, one) => sum + one.bytes, 0)
      yield* Console.log(row([
        name,
        String(last.exchanges.length),
        String(bytes),
        String(depth),
        String(forcedPages(last.exchanges)),
        `${wall.toFixed(0)} ms`,
        (wall / (depth * latency)).toFixed(2)
      ]))
    }).pipe(Effect.provide(readerOver(upstream)))
  })

/** Cost of reading an account: upstream requests, bytes, sequential round trips and time, at 25 ms an upstream request. */
export const reads = Effect.gen(function*() {
  yield* Console.log(`${latency} ms for each upstream request, the median of ${runs} reads; pages: the further pages of the longest list.`)
  yield* Console.log(row(["account", "requests", "bytes", "depth", "pages", "wall", "ratio"]))
  for (const [name, holding] of scenarios) yield* measure(name, holding)
  yield* Console.log("ratio = wall / (depth x latency); 1.00 is as fast as the sources allow.")
})
