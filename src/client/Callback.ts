import { Effect } from "effect"
import { CallbackFailed } from "./ClientFailure.ts"

/** What a function of the caller gives: a value, a promise or an Effect. */
export type Given<A> = A | Promise<A> | Effect.Effect<A, unknown>

/** Calls a function of the caller. Anything it throws, rejects or fails with is one failure, `CallbackFailed`. */
export const given = <A>(callback: string, call: () => Given<A>): Effect.Effect<A, CallbackFailed> => {
  const failed = (cause: unknown) => new CallbackFailed({ callback, cause })
  return Effect.flatMap(
    Effect.tryPromise({ try: async () => await call(), catch: failed }),
    (value) => (Effect.isEffect(value) ? Effect.mapError(value as Effect.Effect<A, unknown>, failed) : Effect.succeed(value as A))
  )
}
