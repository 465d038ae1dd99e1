import type { SqlError } from "@effect/sql"
import { Cause, Effect, HashSet, Metric } from "effect"
import { KeyStoreUnavailable } from "../../domain/failure/Upstream.ts"
import { rareWarning } from "../../fibers/RareWarning.ts"

/** How long a query to the database is waited for, in every case. */
export const patience = "3 seconds"

const failures = Metric.counter("closeout_key_store_failures_total", {
  description: "Queries to the key store that failed, by query.",
  incremental: true
})

const warned = rareWarning("a query to the key store failed")

/** The error that a database reported, without the query. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const problem = Cause.squash(cause)
  const under = typeof problem === "object" && problem !== null && "cause" in problem ? problem.cause : problem
  return under instanceof Error ? `${under.name}: ${under.message}`.slice(0, 200) : "unknown"
}

/**
 * Any error of the database, including a transaction that cannot be ended, is one failure, and a line in the log. It is not
 * waited for longer than three seconds; what hangs is left to end by itself.
 */
export const guarded = (what: string) => <A, E, R>(work: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  work.pipe(
    Effect.disconnect,
    Effect.timeoutFail({ duration: patience, onTimeout: () => new Error("no response in time") }),
    Effect.catchAllCause((cause): Effect.Effect<never, Exclude<E, SqlError.SqlError> | KeyStoreUnavailable> => {
      if (HashSet.size(Cause.interruptors(cause)) > 0 && Cause.isInterruptedOnly(cause)) {
        return Effect.failCause(cause as Cause.Cause<never>)
      }
      const failure = Cause.squash(cause)
      if (isOurs<Exclude<E, SqlError.SqlError>>(failure)) return Effect.fail(failure)
      return Effect.all([
        Metric.increment(Metric.tagged(failures, "operation", what)),
        warned({ what, reason: reasonOf(cause) })
      ]).pipe(Effect.zipRight(Effect.fail(new KeyStoreUnavailable())))
    })
  )

/** A failure that the work itself declares: tagged, and not the database's. */
const isOurs = <E>(failure: unknown): failure is E =>
  typeof failure === "object" && failure !== null && "_tag" in failure && failure._tag !== "SqlError"
