import { Duration, Effect, Either, Schedule } from "effect"
import type { CloseFailure } from "./ClientFailure.ts"
import type { CloseEvent } from "./CloseEvent.ts"
import type { CloseSettings } from "./CloseOptions.ts"
import type { Closing } from "./Closing.ts"
import { retrySchedule } from "./RetrySchedule.ts"
import { CallFailed } from "./ServiceClient.ts"

/** Makes calls again as long as time helps, and reports every wait. */
const retryingWith = (settings: CloseSettings, emit: (event: CloseEvent) => Effect.Effect<void>): Closing["Type"]["retrying"] => {
  const schedule = Schedule.modifyDelayEffect(retrySchedule(settings.maxWait), ({ failure }, delay) => {
    const seconds = Math.ceil(Duration.toMillis(delay)) / 1000
    return Effect.as(emit({ _tag: "waiting", seconds, code: failure._tag, message: failure.message }), delay)
  })
  return (call) =>
    Effect.catchAll(
      Effect.map(call, Either.right),
      (failure) => failure instanceof CallFailed ? Effect.fail(failure) : Effect.succeed(Either.left(failure))
    ).pipe(
      Effect.retry(schedule),
      Effect.mapError(({ failure }): CloseFailure => failure),
      Effect.flatMap((either) => either)
    )
}

/** What the parts of a close share. */
export const closingOf = (settings: CloseSettings, emit: (event: CloseEvent) => Effect.Effect<void>): Closing["Type"] => {
  const { destination, entries, feePayer, maxSlippageBps, memo, smallEnvelopes, source, validForSeconds } = settings
  const request = {
    source,
    destination,
    ...(memo === null ? {} : { memo }),
    ...(feePayer === undefined ? {} : { feePayer: "fee_bump" }),
    ...(maxSlippageBps === undefined ? {} : { maxSlippageBps }),
    ...(entries === undefined ? {} : { entries }),
    ...(smallEnvelopes === undefined ? {} : { smallEnvelopes }),
    ...(validForSeconds === undefined ? {} : { validForSeconds })
  }
  return { settings, request, emit, retrying: retryingWith(settings, emit) }
}
