import { FastCheck } from "effect"

/** One request: `after` milliseconds after the one before, of one of three callers, at one of three instances. */
export interface Arrival {
  readonly after: number
  readonly caller: number
  readonly instance: number
}

/** Random requests, some close together and some far apart. */
export const arrivals = (mostApart: number): FastCheck.Arbitrary<ReadonlyArray<Arrival>> =>
  FastCheck.array(
    FastCheck.record({
      after: FastCheck.oneof(FastCheck.constant(0), FastCheck.nat({ max: mostApart / 20 }), FastCheck.nat({ max: mostApart })),
      caller: FastCheck.nat({ max: 2 }),
      instance: FastCheck.nat({ max: 2 })
    }),
    { minLength: 1, maxLength: 60 }
  )

/**
 * The most admitted requests of one caller in any window that starts with a request outside of earlier windows. A fixed window limits this
 * number.
 */
export const mostInOneWindow = (letIn: ReadonlyArray<{ readonly caller: number; readonly at: number }>, windowMillis: number): number => {
  let most = 0
  for (const caller of new Set(letIn.map((one) => one.caller))) {
    let begun = -Infinity
    let count = 0
    for (const { at } of letIn.filter((one) => one.caller === caller)) {
      if (at >= begun + windowMillis) {
        begun = at
        count = 0
      }
      count++
      most = Math.max(most, count)
    }
  }
  return most
}
