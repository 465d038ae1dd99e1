import { Context } from "effect"

/** Milliseconds between two samples. */
export const sampleMillis = 50

/** Event loop utilization from which on more work makes every request later and none earlier. */
const fullFrom = 0.8

const spareTime = () => {
  let [last, at] = [performance.eventLoopUtilization(), performance.now()]
  return (): boolean | null => {
    if (performance.now() - at < sampleMillis) return null
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    at = performance.now()
    return utilization < fullFrom
  }
}

/** Samples of the event loop's utilization. */
export class EventLoopLoad extends Context.Reference<EventLoopLoad>()("closeout/close/EventLoopLoad", {
  defaultValue: () => ({
    /** Begins to sample. A sample says whether the loop had time to spare since the last; null: less than `sampleMillis` ago. */
    looks: (): () => boolean | null => spareTime()
  })
}) {}
