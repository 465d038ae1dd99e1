import { FileSystem } from "@effect/platform"
import type { SqlClient, SqlError } from "@effect/sql"
import { Config, ConfigError, Data, Effect, Either, Layer, Option, Redacted } from "effect"
import { urlIn } from "../../domain/UrlSetting.ts"
import { migrated, type TablesNewer } from "./Migrations.ts"
import * as NodeSqlite from "./NodeSqlite.ts"

/** The tables of keys cannot be opened or made: the service does not start. What it says is for the operator, and names no secret. */
export class KeyDatabaseUnusable extends Data.TaggedError("KeyDatabaseUnusable")<{
  readonly where: string
  readonly reason: string
  /** Whether it may be usable later without anyone changing anything here. */
  readonly mayPass?: boolean
}> {
  override get message() {
    return `the key store ${this.where} cannot be used: ${this.reason}`
  }
}

const reasonOf = (error: SqlError.SqlError | TablesNewer): string =>
  error._tag === "SqlError" && error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message

const ready = (where: string, client: Layer.Layer<SqlClient.SqlClient, SqlError.SqlError | ConfigError.ConfigError>) =>
  Layer.effectDiscard(migrated).pipe(
    Layer.provideMerge(client),
    Layer.catchAll((error) => {
      const isOurs = error._tag === "SqlError" || error._tag === "TablesNewer"
      return Layer.fail(isOurs ? new KeyDatabaseUnusable({ where, reason: reasonOf(error), mayPass: error._tag === "SqlError" }) : error)
    })
  )

/** Kept in this process only. */
export const layerMemory = ready("in memory", NodeSqlite.layer(":memory:"))

/** One file, for one machine. No one but the service's own user may read it. */
export const layerFile = (directory: string) =>
  Layer.unwrapEffect(Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const file = `${directory}/keys.sqlite`
    yield* Effect.mapError(
      Effect.zipRight(
        files.makeDirectory(directory, { recursive: true }),
        Effect.scoped(files.open(file, { flag: "a", mode: 0o600 }))
      ),
      (problem) => new KeyDatabaseUnusable({ where: file, reason: problem.message })
    )
    return ready(file, NodeSqlite.layer(file))
  }))

/** Milliseconds after which PostgreSQL itself, and its client, give a statement up. */
const patience = "2000"

/** A server that hangs must not hang the service: both ends give up. */
const withPatience = (url: URL): Redacted.Redacted => {
  for (const name of ["statement_timeout", "query_timeout", "lock_timeout"]) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, patience)
  }
  return Redacted.make(url.href)
}

/** One database that several instances share. */
export const layerPostgres = (url: URL) =>
  ready(
    `postgres://${url.host}${url.pathname}`,
    // Loaded only where it is used: it takes as long to load as half of the service's own start.
    Layer.unwrapEffect(Effect.map(
      Effect.promise(() => import("@effect/sql-pg/PgClient")),
      (PgClient) =>
        PgClient.layer({ url: withPatience(url), maxConnections: 10, connectTimeout: "2 seconds", applicationName: "account-closeout" })
    ))
  )

const notUsable = () => ConfigError.InvalidData(["KEY_STORE_URL"], "must be postgres://user:password@host:port/database")

const postgresUrl = (text: Redacted.Redacted) => Either.fromNullable(urlIn(Redacted.value(text), ["postgres", "postgresql"]), notUsable)

/** `KEY_STORE_URL`: a PostgreSQL that several instances share; none where it is not set. */
export const keyStoreSetting = Effect.flatMap(
  Config.option(Config.redacted(Config.nonEmptyString("KEY_STORE_URL"))),
  Option.match({ onNone: () => Effect.succeedNone, onSome: (text) => Effect.asSome(postgresUrl(text)) })
)

/** The same, where something can be served without it: a start continues when it is not reached within five seconds. */
const layerLate = (url: URL) =>
  Layer.unwrapEffect(Effect.map(
    Effect.promise(() => import("./LatePostgres.ts")),
    (LatePostgres) =>
      LatePostgres.layer(layerPostgres(url), (failure) => failure._tag === "KeyDatabaseUnusable" && failure.mayPass === true)
  ))

/** Which database is wanted. */
export interface DatabaseUse {
  /** The service's networks begin anew with every start: nothing is kept, unless a setting says where. */
  readonly passing: boolean
  /** Something is served without the database. */
  readonly mayBeLate: boolean
}

/** PostgreSQL where `KEY_STORE_URL` says so, else a SQLite file in `DATA_DIR` (./data). */
export const layer = ({ mayBeLate, passing }: DatabaseUse) =>
  Layer.unwrapEffect(Effect.gen(function*() {
    const url = yield* keyStoreSetting
    const directory = yield* Config.option(Config.nonEmptyString("DATA_DIR"))
    if (Option.isSome(url)) return mayBeLate ? layerLate(url.value) : layerPostgres(url.value)
    return passing && Option.isNone(directory) ? layerMemory : layerFile(Option.getOrElse(directory, () => "./data"))
  }))
