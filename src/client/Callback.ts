import { Effect, Predicate } from "effect"
import { CallbackFailed } from "./ClientFailure.ts"

/** What a function of the caller gives: a value, a promise or an Effect. */
export type Given<A> = A | Promise<A> | Effect.Effect<A, unknown>

/** Calls a function of the caller. Anything it throws, rejects or fails with is one failure, `CallbackFailed`. */
export const given = <A>(callback: string, call: () => Given<A>): Effect.Effect<A, CallbackFailed> => {
  const failed = (cause: unknown) => new CallbackFailed({ callback, cause })
  return Effect.flatMap(Effect.try({ try: call, catch: failed }), (value) => {
    if (Effect.isEffect(value)) return Effect.mapError(value as Effect.Effect<A, unknown>, failed)
    return Predicate.isPromise(value) ? Effect.tryPromise({ try: () => value, catch: failed }) : Effect.succeed(value as A)
  })
}
