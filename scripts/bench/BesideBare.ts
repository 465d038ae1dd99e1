import { Console, Effect } from "effect"
import { handWritten } from "./beside/HandWritten.ts"
import type { Order, Told } from "./beside/Load.ts"
import { servingOf } from "./ServedHere.ts"
import { median, millis, row } from "./Table.ts"
import { thread } from "./Thread.ts"

const rounds = 5
const atOnce = 8

/** A request, its count in a round, and the goal. */
const pagesOf = (source: string) =>
  [
    ["/health", "GET /health", 2000, "0.35 ms"],
    [`/testnet/account/${source}`, "read of 30 entries", 150, "a share of 0.3"]
  ] as const

/**
 * The throughput of the service beside a bare server of Node that does the same work by hand: it makes the same calls, decodes the same
 * ledger entries and writes the same answer. Both run in this thread; the client and the network, which answers from memory, each have
 * another.
 */
export const besideBare = Effect.scoped(Effect.gen(function*() {
  const { hear, tell } = yield* thread<Told>(new URL("./beside/Load.ts", import.meta.url))
  const network = yield* hear
  if (network.kind !== "network") return yield* Effect.dieMessage("the network comes first")
  const { key, url } = yield* servingOf(network)
  const load = (order: Order) => Effect.zipRight(tell(order), hear)
  const answers = new Map<string, { readonly asks: Extract<Told, { readonly kind: "asked" }>["exchanges"]; readonly answer: unknown }>()
  for (const [path, , times] of pagesOf(network.source)) {
    yield* load({ urls: [`${url}${path}`], key, times, atOnce })
    const told = yield* load({ urls: [`${url}${path}`], key, times: 1, atOnce })
    if (told.kind !== "asked") return yield* Effect.dieMessage("what was asked is not told")
    answers.set(path, { asks: told.exchanges, answer: JSON.parse(told.text) })
  }
  const bare = yield* handWritten(new URL(network.rpcUrl).origin, answers)
  const cpuOf = (origin: string, path: string, times: number) =>
    Effect.gen(function*() {
      const before = process.threadCpuUsage()
      yield* load({ urls: [`${origin}${path}`], key, times, atOnce })
      const { system, user } = process.threadCpuUsage(before)
      return (system + user) / 1000 / times
    })
  yield* Console.log(
    `CPU of a request beside a bare node:http server that does the same by hand, ${atOnce} at a time, the median of ${rounds} rounds.`
  )
  yield* Console.log(
    "Share: how many requests a core serves, of those that the bare one serves; calls: to the network, which answers from memory."
  )
  yield* Console.log(row(["request", "calls", "CPU", "bare CPU", "a second", "bare", "share"]) + "   goal")
  for (const [path, name, times, goal] of pagesOf(network.source)) {
    yield* cpuOf(bare, path, times)
    const all = yield* Effect.forEach(
      Array.from({ length: rounds }),
      () => Effect.all([cpuOf(url, path, times), cpuOf(bare, path, times)])
    )
    const [own, other] = [median(all.map(([one]) => one)), median(all.map(([, one]) => one))]
    const calls = String(answers.get(path)?.asks.length)
    const figures = [name, calls, millis(own), millis(other), (1000 / own).toFixed(0), (1000 / other).toFixed(0), (other / own).toFixed(2)]
    yield* Console.log(`${row(figures)}   ${goal}`)
  }
}))
