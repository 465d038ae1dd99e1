import { Context } from "effect"

/** Milliseconds between two looks. */
export const lookEvery = 50

/** The part of the time in which the event loop was at work from which on more work makes everything later and nothing earlier. */
const fullFrom = 0.8

const spareTime = () => {
  let [last, at] = [performance.eventLoopUtilization(), performance.now()]
  return (): boolean | null => {
    if (performance.now() - at < lookEvery) return null
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    at = performance.now()
    return utilization < fullFrom
  }
}

/** How the event loop is looked at. */
export class LoopLoad extends Context.Reference<LoopLoad>()("closeout/close/LoopLoad", {
  defaultValue: () => ({
    /** Begins to look; each look tells whether the loop had time to spare since the one before, null: that was only just. */
    looks: (): () => boolean | null => spareTime()
  })
}) {}
