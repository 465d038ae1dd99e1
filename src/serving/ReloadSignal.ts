import { Cause, Effect, Layer, Queue } from "effect"
import { type Reload, Reloads } from "../domain/Reloads.ts"

/** Why it was not reloaded, without the trace of a fault. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return typeof failure === "object" && failure !== null && "message" in failure ? String(failure.message) : "unknown"
}

/** One after the other, so that an error says which file it is about. */
const reloaded = ({ run, what }: Reload) =>
  Effect.matchCauseEffect(run, {
    onFailure: (cause) =>
      Effect.annotateLogs(Effect.logError("not reloaded: the previous data stays in force"), { what, reason: reasonOf(cause) }),
    onSuccess: () => Effect.annotateLogs(Effect.logInfo("reloaded"), { what })
  })

/** Reads the files again that settings name, when the process gets SIGHUP. Without such a file the signal ends the process, as usual. */
export const layer = Layer.scoped(
  Reloads,
  Effect.gen(function*() {
    const reloads: Array<Reload> = []
    const signals = yield* Queue.sliding<void>(1)
    const listener = () => void signals.unsafeOffer(undefined)
    yield* Effect.addFinalizer(() => Effect.sync(() => process.off("SIGHUP", listener)))
    yield* Effect.forkScoped(
      Effect.forever(Effect.zipRight(Queue.take(signals), Effect.forEach(reloads, reloaded, { discard: true })))
    )
    return Reloads.of({
      add: (reload) =>
        Effect.sync(() => {
          if (reloads.length === 0) process.on("SIGHUP", listener)
          reloads.push(reload)
        })
    })
  })
)
