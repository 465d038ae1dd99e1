import { Effect } from "effect"
import { concurrently } from "../../fibers/Concurrently.ts"

/** Asks for each of them, so many at a time, in fibers that take one after the other. One alone is asked for here: a fiber of its own would only cost. */
export const sideBySide = <A, B, E, R>(
  all: ReadonlyArray<A>,
  most: number,
  ask: (one: A) => Effect.Effect<B, E, R>
): Effect.Effect<Array<B>, E, R> => {
  if (all.length <= 1) return Effect.forEach(all, ask)
  return Effect.suspend(() => {
    const found: Array<B> = []
    const open = all.entries()
    const work: Effect.Effect<void, E, R> = Effect.suspend(() => {
      const next = open.next()
      if (next.done === true) return Effect.void
      const [place, one] = next.value
      return Effect.flatMap(ask(one), (answer) => {
        found[place] = answer
        return work
      })
    })
    return Effect.as(concurrently(Array.from({ length: Math.min(most, all.length) }, () => work)), found)
  })
}
