import { SqlClient, type SqlError } from "@effect/sql"
import { Clock, Data, Effect } from "effect"

type Migration = Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>

const all = (...statements: ReadonlyArray<string>): Migration =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(statements, (text) => sql.unsafe(text), { discard: true }))

/** Every change of the tables, oldest first. One that was published is never altered. Times are milliseconds since 1970. */
const migrations: ReadonlyArray<Migration> = [
  all(
    `CREATE TABLE closeout_keys (
      id TEXT PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      owner TEXT NOT NULL,
      network TEXT,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT,
      rotated_from TEXT,
      last_used_at BIGINT,
      rate_limit INTEGER,
      rate_window_seconds INTEGER
    )`,
    "CREATE INDEX closeout_keys_by_owner ON closeout_keys (owner, created_at)",
    "CREATE INDEX closeout_keys_by_revocation ON closeout_keys (revoked_at)",
    "CREATE TABLE closeout_used_challenges (hash TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)",
    "CREATE INDEX closeout_used_challenges_by_expiry ON closeout_used_challenges (expires_at)",
    "CREATE TABLE closeout_secrets (name TEXT PRIMARY KEY, secret TEXT NOT NULL)"
  ),
  // rate_window: the id of the first key of a chain of rotations; null stands for the key's own id. replaced_by: the id of the successor.
  all(
    "ALTER TABLE closeout_keys ADD COLUMN label TEXT",
    "ALTER TABLE closeout_keys ADD COLUMN last4 TEXT",
    "ALTER TABLE closeout_keys ADD COLUMN expires_at BIGINT",
    "ALTER TABLE closeout_keys ADD COLUMN replaced_by TEXT",
    "ALTER TABLE closeout_keys ADD COLUMN rate_window TEXT",
    "CREATE INDEX closeout_keys_by_expiry ON closeout_keys (expires_at)"
  )
]

/** The tables were made by a newer version of this service, which may keep there what this one would not honour. */
export class TablesNewer extends Data.TaggedError("TablesNewer")<{ readonly found: number }> {
  override get message() {
    return `its tables are of a newer version of this service (${this.found}; this one knows ${migrations.length}). Start that version, or restore a backup`
  }
}

/** Any number that no other program uses as its lock in the same database. */
const lock = 724_118_302

/**
 * Brings the tables up to date, in one transaction. Fails where they are of a newer version.
 *
 * Of several instances that start at once one does it and the others wait: PostgreSQL by
 * a lock of that name, SQLite by its write lock.
 */
export const migrated = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql.onDialectOrElse({
      pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(${lock})`),
      orElse: () => Effect.void
    })
    yield* sql`CREATE TABLE IF NOT EXISTS closeout_migrations (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)`
    const [newest] = yield* sql<{ readonly version: number | null }>`SELECT max(version) AS version FROM closeout_migrations`
    const done = newest?.version ?? 0
    if (done > migrations.length) return yield* new TablesNewer({ found: done })
    const now = yield* Clock.currentTimeMillis
    for (const [index, migration] of migrations.entries()) {
      if (index < done) continue
      yield* migration
      yield* sql`INSERT INTO closeout_migrations (version, applied_at) VALUES (${index + 1}, ${now})`
    }
  }))
})
