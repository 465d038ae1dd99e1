import { Effect, Exit } from "effect"

const isEnded = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Exit<A, E> => Exit.isExit(effect)

/** What an effect succeeds with before it runs, as one that tells what is remembered; null: it has to run first. */
export const atHand = <A extends object, E, R>(effect: Effect.Effect<A, E, R>): A | null =>
  isEnded(effect) && Exit.isSuccess(effect) ? effect.value : null

/** As `Effect.map`, but what is at hand stays so. */
export const mapAtHand = <A extends object, B, E, R>(effect: Effect.Effect<A, E, R>, change: (value: A) => B): Effect.Effect<B, E, R> => {
  const value = atHand(effect)
  return value === null ? Effect.map(effect, change) : Effect.succeed(change(value))
}
