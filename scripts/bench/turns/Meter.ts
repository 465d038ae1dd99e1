import { PerformanceObserver } from "node:perf_hooks"

/** One turn of the event loop. */
export interface Turn {
  /** Its begin and end, milliseconds of `performance.now()`. */
  readonly begin: number
  readonly end: number
  /** Milliseconds of CPU of this thread, without garbage collection. */
  readonly cpu: number
}

interface Pause {
  readonly startTime: number
  readonly duration: number
}

/** Counts the CPU of every turn of this thread from `start` to `stop`. */
export const meter = () => {
  const turns: Array<Turn> = []
  const pauses: Array<Pause> = []
  const observer = new PerformanceObserver((list) => pauses.push(...list.getEntries()))
  let on = true
  const turn = (begin: number, before: NodeJS.CpuUsage) => {
    const { system, user } = process.threadCpuUsage(before)
    const end = performance.now()
    turns.push({ begin, end, cpu: (system + user) / 1000 })
    if (!on) return
    const [at, from] = [performance.now(), process.threadCpuUsage()]
    setImmediate(() => turn(at, from))
  }
  return {
    start: () => {
      observer.observe({ entryTypes: ["gc"] })
      const [at, from] = [performance.now(), process.threadCpuUsage()]
      setImmediate(() => turn(at, from))
    },
    stop: async (): Promise<ReadonlyArray<Turn>> => {
      on = false
      await new Promise((resume) => setTimeout(resume, 50))
      pauses.push(...observer.takeRecords())
      observer.disconnect()
      return turns.map((one) => {
        const paused = pauses.filter(({ startTime }) => startTime >= one.begin && startTime < one.end).reduce(
          (sum, { duration }) => sum + duration,
          0
        )
        return { ...one, cpu: Math.max(0, one.cpu - paused) }
      })
    }
  }
}
