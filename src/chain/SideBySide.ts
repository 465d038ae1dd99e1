import { Effect } from "effect"

/** Asks for each of them, so many at a time. One alone is asked for here: a fiber of its own would only cost. */
export const sideBySide = <A, B, E, R>(
  all: ReadonlyArray<A>,
  most: number,
  ask: (one: A) => Effect.Effect<B, E, R>
): Effect.Effect<Array<B>, E, R> => Effect.forEach(all, ask, { concurrency: all.length > 1 ? most : 1 })
