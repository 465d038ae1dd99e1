import { Effect } from "effect"
import { median } from "./Table.ts"

/** Milliseconds of this process's CPU for one run: the median of `runs`, after some to warm up. */
export const cpuOf = (work: () => unknown, runs: number, warmUp = runs): number => {
  for (let run = 0; run < warmUp; run++) work()
  return median(Array.from({ length: runs }, () => {
    const before = process.cpuUsage()
    work()
    const { system, user } = process.cpuUsage(before)
    return (system + user) / 1000
  }))
}

/** Milliseconds of one run: the median of `runs`, after some to warm up. */
export const timeOf = (work: () => unknown, runs: number, warmUp = runs): number => {
  for (let run = 0; run < warmUp; run++) work()
  return median(Array.from({ length: runs }, () => {
    const before = process.hrtime.bigint()
    work()
    return Number(process.hrtime.bigint() - before) / 1e6
  }))
}

const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

/** Milliseconds of CPU that some work takes. */
export const cpuWithin = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const began = process.cpuUsage()
    return Effect.map(work, () => cpuSince(began))
  })

/** The most milliseconds of CPU that some work takes between two turns of the event loop. */
export const longestTurnOf = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.gen(function*() {
    let [on, turn] = [true, 0]
    let last = process.cpuUsage()
    const tick = () => {
      turn = Math.max(turn, cpuSince(last))
      last = process.cpuUsage()
      if (on) setImmediate(tick)
    }
    setImmediate(tick)
    yield* work
    on = false
    return Math.max(turn, cpuSince(last))
  })
