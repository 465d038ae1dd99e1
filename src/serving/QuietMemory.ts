import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { requestsInFlight } from "../http/metrics/RequestMetrics.ts"

/** What a process sees of itself when it looks. */
export interface Look {
  /** Share of the time since the look before in which the event loop worked. */
  readonly busy: number
  /** Requests that are being answered. */
  readonly inFlight: number
  /** Bytes of memory that the process holds. */
  readonly memory: () => number
}

/** Milliseconds between two looks. */
const period = 5000

/** Looks in a row without work that make a quiet spell. */
const looksOfQuiet = 2

/** Health checks and the rounds that a process makes by itself take less. */
const mostBusy = 0.05

/** How many times what it held at rest a process may hold. */
const mostGrowth = 1.5

/**
 * Tells at every look whether memory was given back. That happens in a quiet spell, when the process holds half as much again as it held
 * at rest: at the start, or after memory was given back. What giving back does not free is not tried for again until it grows as much.
 */
export const quietSpells = (atStart: number, giveBack: () => void): (look: Look) => boolean => {
  let atRest = atStart
  let quiet = 0
  return ({ busy, inFlight, memory }) => {
    quiet = busy > mostBusy || inFlight > 0 ? 0 : quiet + 1
    if (quiet < looksOfQuiet) return false
    const due = memory() > mostGrowth * atRest
    if (due) {
      giveBack()
      quiet = 0
    }
    atRest = due ? memory() : Math.min(atRest, memory())
    return due
  }
}

type Collect = (options: { readonly type: "major"; readonly execution: "sync"; readonly flavor: "last-resort" }) => void

/** V8 tells its collector only to contexts that are made while the flag is set. */
const collector = (): Collect => {
  setFlagsFromString("--expose-gc")
  const collect: Collect = runInNewContext("gc")
  setFlagsFromString("--no-expose-gc")
  return collect
}

/**
 * Left alone, V8 collects when somebody asks for more, and keeps the pages of what it collected: a process would hold for good what its
 * heaviest plan took. Only the last resort returns them to the system. It takes some 0.3 s, so that it waits for a quiet spell.
 */
export const giveMemoryBackWhenQuiet = (): void => {
  const rss = () => process.memoryUsage.rss()
  let collect: Collect | null = null
  const look = quietSpells(rss(), () => {
    collect ??= collector()
    collect({ type: "major", execution: "sync", flavor: "last-resort" })
  })
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    look({ busy: performance.eventLoopUtilization(now, before).utilization, inFlight: requestsInFlight(), memory: rss })
    before = now
  }, period)
  timer.unref()
}
