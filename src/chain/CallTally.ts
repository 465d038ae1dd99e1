import { type Fiber, FiberRef } from "effect"
import { type Mark, markOf } from "../fibers/Marks.ts"

/** What one request asked of its sources by itself. What it waits for together with others belongs to none of them. Times are nanoseconds of a clock. */
export interface CallTally {
  calls: number
  /** Time in which at least one call was under way, up to when the last one ended: calls side by side count once. */
  waited: bigint
  underWay: number
  /** Since when there is a call under way, where there is one. */
  since: bigint
}

const current = FiberRef.unsafeMake<CallTally | null>(null)

/** The tally of the request that a fiber works for; null outside of one. */
export const tallyOf = (fiber: Pick<Fiber.RuntimeFiber<unknown, unknown>, "getFiberRef">): CallTally | null => fiber.getFiberRef(current)

export const emptyTally = (): CallTally => ({ calls: 0, waited: 0n, underWay: 0, since: 0n })

/** What a fiber bears whose questions to sources are counted. */
export const tallyMark = (tally: CallTally): Mark => markOf(current, tally)

/** A call begins. */
export const began = (tally: CallTally, now: bigint): void => {
  tally.calls++
  if (tally.underWay++ === 0) tally.since = now
}

/** A call ends, however it does. */
export const ended = (tally: CallTally, now: bigint): void => {
  if (--tally.underWay === 0) tally.waited += now - tally.since
}

/** Whole milliseconds that were waited until now. */
export const waitedMillis = ({ since, underWay, waited }: CallTally, now: bigint): number =>
  Math.round(Number(underWay > 0 ? waited + now - since : waited) / 1e6)
