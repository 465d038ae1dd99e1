import { Console, Effect } from "effect"
import { type NetworkElsewhere, servingOf } from "./ServedHere.ts"
import { millis, row } from "./Table.ts"
import { thread } from "./Thread.ts"
import { meter } from "./turns/Meter.ts"
import type { Planned } from "./waits/ManyPlans.ts"

/** The wait of `/health` while plans of the largest account are computed in parallel. The service has this thread to itself. */
export const healthUnderLoad = Effect.scoped(Effect.gen(function*() {
  const plans = yield* thread<NetworkElsewhere | Planned>(new URL("./waits/ManyPlans.ts", import.meta.url))
  const network = yield* plans.hear
  if ("refused" in network) return yield* Effect.dieMessage("the network comes first")
  const { key, url } = yield* servingOf(network)
  const planned = (times: number) =>
    Effect.gen(function*() {
      yield* plans.tell({ url, key, times })
      const told = yield* plans.hear
      return "refused" in told ? told : yield* Effect.dieMessage("plans are told of")
    })
  yield* planned(2)
  yield* Console.log(
    "The longest turn and the longest wait of GET /health, asked all the time, beside plans of 998 trustlines at once. Goal: below 100 ms."
  )
  yield* Console.log(row(["plans at once", "until the last", "refused", "CPU a turn", "longest wait"]))
  for (const times of [0, 1, 4, 16, 50]) {
    const pinger = yield* thread<number>(new URL("./waits/Pinger.ts", import.meta.url), `${url}/health`)
    yield* pinger.hear
    const loop = meter()
    loop.start()
    const told = yield* times === 0 ? Effect.as(Effect.sleep("2 seconds"), { millis: 0, refused: 0 }) : planned(times)
    yield* pinger.tell("stop")
    const longest = yield* pinger.hear
    // Reporting the measurement is work too, and must not delay a request.
    const turns = yield* Effect.promise(loop.stop)
    const turn = turns.reduce((most, { cpu }) => Math.max(most, cpu), 0)
    yield* Console.log(row([String(times), millis(told.millis), String(told.refused), millis(turn), millis(longest)]))
  }
}))
