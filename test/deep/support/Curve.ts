import { Clock, Console, Effect } from "effect"
import { cpuUsage, memoryUsage } from "node:process"

/** Closes between two figures. */
const step = 25

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`

/** Prints, every 25 closes, the time of one close and the memory in use. A memory leak of a long-running service shows here. */
export const curve = Effect.gen(function*() {
  let wall = yield* Clock.currentTimeMillis
  let cpu = cpuUsage()
  return (made: number, count: number): Effect.Effect<void> =>
    made % step !== 0 && made !== count
      ? Effect.void
      : Effect.gen(function*() {
        const closes = (made - 1) % step + 1
        const now = yield* Clock.currentTimeMillis
        const spent = cpuUsage(cpu)
        const { heapUsed, rss } = memoryUsage()
        yield* Console.log(
          `${made} of ${count} closes: ${Math.round((now - wall) / closes)} ms a close, ${
            Math.round((spent.user + spent.system) / 1000 / closes)
          } ms of CPU; heap ${mebibytes(heapUsed)}, resident ${mebibytes(rss)}`
        )
        wall = now
        cpu = cpuUsage()
      })
})
