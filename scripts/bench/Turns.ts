import { Console, Effect } from "effect"
import { servingOf } from "./ServedHere.ts"
import { millis, percentile, row } from "./Table.ts"
import { thread } from "./Thread.ts"
import type { Told } from "./turns/Driver.ts"
import { meter, type Turn } from "./turns/Meter.ts"

/** Turns of less CPU belong to an idle loop, or to one that only forwards bytes. */
const idle = 0.2

/** A profile beside the figures, which shows the code that holds a turn. */
export interface Watch {
  readonly begin: (of: "cpu" | "turns") => void
  readonly end: (name: string, turns: ReadonlyArray<Turn>) => void
}

const nobody: Watch = { begin: () => {}, end: () => {} }

/**
 * The CPU of turns of the event loop while the largest account is read, planned, built and submitted. The network and the client share
 * another thread.
 */
export const turns = (watch: Watch = nobody) =>
  Effect.scoped(Effect.gen(function*() {
    const { hear, tell } = yield* thread<Told>(new URL("./turns/Driver.ts", import.meta.url))
    const network = yield* hear
    if (network.kind !== "network") return yield* Effect.dieMessage("the network comes first")
    const { key, url } = yield* servingOf(network)
    yield* tell({ url, key })
    yield* Console.log(
      "CPU of a request and of the turns of the event loop, mostly while an account of 998 trustlines is closed. Goals: p99 25 ms,"
    )
    yield* Console.log(
      "at most 80 ms a turn; a small read 9 ms, a small plan 13 ms, a plan of 998 trustlines or of 1000 mixed entries 150 ms."
    )
    yield* Console.log(row(["request", "CPU", "turns", "p99", "longest"]))
    let cpu = 0
    for (let next = yield* hear; next.kind === "begin"; next = yield* hear) {
      const loop = meter()
      watch.begin(next.of)
      if (next.of === "turns") loop.start()
      const before = process.threadCpuUsage()
      yield* tell("go")
      yield* hear
      const { system, user } = process.threadCpuUsage(before)
      if (next.of === "cpu") {
        cpu = (system + user) / 1000 / next.runs
        watch.end(next.name, [])
      } else {
        const counted = yield* Effect.promise(loop.stop)
        watch.end(next.name, counted)
        const held = counted.map((one) => one.cpu).filter((each) => each > idle)
        yield* Console.log(row([next.name, millis(cpu), String(held.length), millis(percentile(held, 0.99)), millis(Math.max(0, ...held))]))
      }
      yield* tell("go")
    }
  }))
