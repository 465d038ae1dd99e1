import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient, SqlError } from "@effect/sql"
import { makeCompiler } from "@effect/sql-pg/PgClient"
import { Context, Deferred, Effect, ExecutionStrategy, Exit, Layer, Option, Schedule, Scope } from "effect"

/** How long a start waits for a database without which something can be served. */
const startWaits = "5 seconds"

/** How long after it failed the database is tried again. */
const tryAgain = Schedule.spaced("1 second")

/**
 * A PostgreSQL that need not be there when the service starts. The start waits at most five seconds; a query before the database is
 * there fails at once.
 *
 * @param opened the database with its tables; tried again as long as `mayPass` says so of its failure, and a failure of the start otherwise
 */
export const layer = <E extends { readonly message: string }>(
  opened: Layer.Layer<SqlClient.SqlClient, E>,
  mayPass: (failure: E) => boolean
): Layer.Layer<SqlClient.SqlClient, E> =>
  Layer.scoped(
    SqlClient.SqlClient,
    Effect.gen(function*() {
      const whole = yield* Effect.scope
      let client: SqlClient.SqlClient | null = null
      const attempt = Effect.gen(function*() {
        const scope = yield* Scope.fork(whole, ExecutionStrategy.sequential)
        const made = yield* Effect.onError(Layer.buildWithScope(opened, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
        client = Context.get(made, SqlClient.SqlClient)
      })
      const there = yield* Deferred.make<void, E>()
      yield* Effect.forkScoped(Effect.intoDeferred(Effect.retry(attempt, { while: mayPass, schedule: tryAgain }), there))
      if (Option.isNone(yield* Effect.timeoutOption(Deferred.await(there), startWaits))) {
        yield* Effect.logWarning("the key store cannot be reached: only static keys are accepted until it can")
        yield* Effect.forkScoped(Effect.matchEffect(Deferred.await(there), {
          onFailure: ({ message }) => Effect.logError(message),
          onSuccess: () => Effect.logInfo("the key store is reached, and its keys are accepted")
        }))
      }
      const connection = Effect.suspend(() =>
        client === null
          ? new SqlError.SqlError({ cause: new Error("not reachable since the start"), message: "the key store cannot be queried" })
          : client.reserve
      )
      return yield* SqlClient.make({
        acquirer: connection,
        transactionAcquirer: connection,
        compiler: makeCompiler(),
        spanAttributes: [["db.system.name", "postgresql"]]
      })
    })
  ).pipe(Layer.provide(Reactivity.layer))
