import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient, SqlError, Statement } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { Effect, Layer, Schedule, Stream } from "effect"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"

/** Most statements that are kept prepared. Their texts are few: values are never part of them. */
const mostPrepared = 100

/** What SQLite says while another process holds the file's lock. */
const busy = 5

/** A locked file is tried again this often, without holding the process up, for a second and a half in all. */
const whileLocked = Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(30))

const isBusy = ({ cause }: SqlError.SqlError): boolean =>
  typeof cause === "object" && cause !== null && "errcode" in cause && typeof cause.errcode === "number" && (cause.errcode & 0xff) === busy

/** One open file. SQLite answers at once, so that nothing here is ever under way. */
class SqliteConnection implements Connection {
  readonly database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.database = database
  }

  readonly execute: Connection["execute"] = (text, values, transformRows) =>
    Effect.map(this.#all(text, values), (rows) => (transformRows === undefined ? rows : transformRows(rows)))

  readonly executeRaw: Connection["executeRaw"] = (text, values) => this.#all(text, values)

  readonly executeUnprepared: Connection["executeUnprepared"] = (text, values, transformRows) => this.execute(text, values, transformRows)

  readonly executeValues: Connection["executeValues"] = (text, values) =>
    Effect.map(this.#all(text, values), (rows) => rows.map((row) => Object.values(row)))

  readonly executeStream: Connection["executeStream"] = (text, values, transformRows) =>
    Stream.flatMap(Stream.fromEffect(this.execute(text, values, transformRows)), Stream.fromIterable)

  #all(text: string, values: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<object>, SqlError.SqlError> {
    return Effect.try({
      // Only texts, numbers and nulls are ever given.
      try: () => this.#prepare(text).all(...(values as ReadonlyArray<SQLInputValue>)),
      catch: (cause) => new SqlError.SqlError({ cause, message: "the statement failed" })
    }).pipe(Effect.retry({ while: isBusy, schedule: whileLocked }))
  }

  #prepare(text: string): StatementSync {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    if (this.#prepared.size >= mostPrepared) this.#prepared.clear()
    const made = this.database.prepare(text)
    this.#prepared.set(text, made)
    return made
  }
}

const opened = (file: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const database = new DatabaseSync(file, { timeout: 0 })
        // Readers go on while someone writes, and what was answered is on the disk.
        database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        return database
      },
      catch: (cause) => new SqlError.SqlError({ cause, message: `the database ${file} cannot be opened` })
    }).pipe(Effect.retry({ while: isBusy, schedule: whileLocked })),
    (database) => Effect.sync(() => database.close())
  )

/** A transaction whose end itself failed must not stay open for the next caller. */
const ended = (database: DatabaseSync) =>
  Effect.ignore(Effect.try(() => {
    if (database.isTransaction) database.exec("ROLLBACK")
  }))

/**
 * SQLite by Node's own module: nothing has to be installed or compiled. `file` may be `:memory:`. There is one connection; transactions
 * and statements take turns, and a transaction takes the write lock at its start.
 */
export const layer = (file: string): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.scoped(
    SqlClient.SqlClient,
    Effect.gen(function*() {
      const connection = new SqliteConnection(yield* opened(file))
      const turn = yield* Effect.makeSemaphore(1)
      const own = Effect.uninterruptibleMask((restore) =>
        Effect.as(
          Effect.zipRight(
            restore(turn.take(1)),
            Effect.addFinalizer(() => Effect.zipRight(ended(connection.database), turn.release(1)))
          ),
          connection
        )
      )
      return yield* SqlClient.make({
        acquirer: own,
        transactionAcquirer: own,
        beginTransaction: "BEGIN IMMEDIATE",
        compiler: Statement.makeCompilerSqlite(),
        spanAttributes: [["db.system.name", "sqlite"]]
      })
    })
  ).pipe(Layer.provide(Reactivity.layer))
