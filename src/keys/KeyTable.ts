import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { ApiKeyRecord, RateLimitSetting } from "../domain/ApiKeyRecord.ts"
import { ApiKeyNotFound, KeyLimitReached } from "../domain/failure/Request.ts"
import type { Network } from "../domain/Network.ts"
import { apiKeyDigest, freshApiKey } from "./ApiKey.ts"
import { liveKeyOf, rateWindowOf, recordOf, type Row, type Whole } from "./KeyRow.ts"

/** Most live keys that one account may make for itself. */
const mostLiveKeys = 5

const dayMillis = 86_400_000

/** Most records of one answer, the newest first. */
const mostListed = 1_000

/**
 * Whose keys someone manages: the operator all of them, a person those that were made for the account they proved on that network. A key
 * of the same address that was made by the operator, or proved on another network, is not theirs: there another key may sign for it.
 */
export type Manager = { readonly _tag: "Operator" } | Person

/** Who proved control of an account on a network. */
export interface Person {
  readonly _tag: "Person"
  readonly address: string
  readonly network: Network
}

/** Which of the keys that a manager may see are listed. */
export interface KeyFilter {
  /** Only keys of that owner. */
  readonly owner: string | null
  /** Only live keys that were neither made nor used for so many days. */
  readonly unusedDays: number | null
}

/** All that the manager may see. */
export const everyKey: KeyFilter = { owner: null, unusedDays: null }

/** What a new key is to be. */
export interface NewKey {
  readonly owner: string
  readonly rateLimit: RateLimitSetting | null
}

/** What its maker may say of a new key. */
export interface KeyTerms {
  readonly label: string | null
  /** Milliseconds since 1970 from which the key is refused; null: it does not expire. */
  readonly expiresAt: number | null
}

/** No label and no expiry. */
const noTerms: KeyTerms = { label: null, expiresAt: null }

/** A new key, which is nowhere else, and its record. */
export interface Issued {
  readonly key: string
  readonly record: ApiKeyRecord
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A text that is no id fails without a query to the database. */
const checkedId = (id: string): Effect.Effect<void, ApiKeyNotFound> => (uuid.test(id) ? Effect.void : new ApiKeyNotFound({ id }))

/** How a key is named in the table: its SHA-256, in hex. */
export const digestText = (digest: Uint8Array): string => Buffer.from(digest).toString("hex")

type Sql = SqlClient.SqlClient

const only = (sql: Sql, manager: Manager) =>
  manager._tag === "Operator" ? sql`1 = 1` : sql`owner = ${manager.address} AND network = ${manager.network}`

/** PostgreSQL lets two count at once; SQLite's transactions stand in a row anyway. */
const oneAtATime = (sql: Sql, owner: string) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtext(${owner}))`),
    orElse: () => Effect.void
  })

/** Keys that may be used at that time. */
const liveAt = (sql: Sql, now: number) => sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`

/** Writes a new key; what is not given is that of a fresh one. */
const insert = (
  sql: Sql,
  given: Pick<Row, "owner" | "network" | "label" | "expires_at" | "rate_limit" | "rate_window_seconds"> & Partial<Row>
) =>
  Effect.gen(function*() {
    const key = freshApiKey()
    const row: Row = {
      id: randomUUID(),
      digest: digestText(apiKeyDigest(key)),
      last4: key.slice(-4),
      created_at: yield* Clock.currentTimeMillis,
      revoked_at: null,
      rotated_from: null,
      replaced_by: null,
      last_used_at: null,
      rate_window: null,
      ...given
    }
    yield* sql`INSERT INTO closeout_keys ${sql.insert({ ...row })}`
    const issued: Issued = { key, record: recordOf(row) }
    return issued
  })

/** How many live keys without a successor a person has. */
const liveCount = (sql: Sql, { address, network }: Person) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const [found] = yield* sql<{ readonly live: Whole }>`SELECT count(*) AS live FROM closeout_keys
      WHERE owner = ${address} AND network = ${network} AND ${liveAt(sql, now)} AND replaced_by IS NULL`
    return Number(found?.live ?? 0)
  })

const revokedNow = (sql: Sql, manager: Manager, id: string) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<Row>`UPDATE closeout_keys SET revoked_at = ${now}
      WHERE id = ${id} AND revoked_at IS NULL AND ${only(sql, manager)} RETURNING *`
    return row ?? null
  })

/** Ends a live key that has no successor yet: now, or after a time in which both may be used. */
const replacedNow = (sql: Sql, manager: Manager, id: string, { graceSeconds, successor }: { graceSeconds: number; successor: string }) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const end = now + graceSeconds * 1000
    const ending = graceSeconds === 0
      ? sql`revoked_at = ${now}`
      : sql`expires_at = CASE WHEN expires_at < ${end} THEN expires_at ELSE ${end} END`
    const [row] = yield* sql<Row>`UPDATE closeout_keys SET replaced_by = ${successor}, ${ending}
      WHERE id = ${id} AND replaced_by IS NULL AND ${liveAt(sql, now)} AND ${only(sql, manager)} RETURNING *`
    return row ?? null
  })

/** What makes keys. */
const issuing = (sql: Sql) => ({
  /** Makes a key for anyone. */
  createAny: ({ owner, rateLimit }: NewKey, { expiresAt, label }: KeyTerms = noTerms) =>
    insert(sql, {
      owner,
      label,
      network: null,
      expires_at: expiresAt,
      rate_limit: rateLimit?.limit ?? null,
      rate_window_seconds: rateLimit?.windowSeconds ?? null
    }),

  /** Makes a key for a person, who may have five that are live, those with a successor not counted. */
  createOwn: (person: Person, { expiresAt, label }: KeyTerms = noTerms) =>
    sql.withTransaction(Effect.gen(function*() {
      const { address, network } = person
      yield* oneAtATime(sql, address)
      if ((yield* liveCount(sql, person)) >= mostLiveKeys) return yield* new KeyLimitReached()
      return yield* insert(sql, { owner: address, network, label, expires_at: expiresAt, rate_limit: null, rate_window_seconds: null })
    })),

  /** Ends a live key, after so many seconds, and makes its successor, both or neither. A key has one successor. */
  rotate: (manager: Manager, id: string, graceSeconds: number) =>
    sql.withTransaction(Effect.gen(function*() {
      yield* checkedId(id)
      const [before] = yield* sql<Pick<Row, "expires_at">>`SELECT expires_at FROM closeout_keys WHERE id = ${id}`
      const successor = randomUUID()
      const row = before === undefined ? null : yield* replacedNow(sql, manager, id, { graceSeconds, successor })
      if (before === undefined || row === null) return yield* new ApiKeyNotFound({ id })
      const { label, network, owner, rate_limit, rate_window_seconds } = row
      const same = { owner, network, label, rate_limit, rate_window_seconds, rate_window: rateWindowOf(row) }
      return yield* insert(sql, { ...same, ...before, id: successor, rotated_from: id })
    }))
})

/** What ends and deletes keys. */
const ending = (sql: Sql) => ({
  /** Ends a key; one that has ended stays as it is. */
  revoke: (manager: Manager, id: string) =>
    Effect.gen(function*() {
      yield* checkedId(id)
      const now = yield* revokedNow(sql, manager, id)
      const [row] = now === null ? yield* sql<Row>`SELECT * FROM closeout_keys WHERE id = ${id} AND ${only(sql, manager)}` : [now]
      return row === undefined ? yield* new ApiKeyNotFound({ id }) : recordOf(row)
    }),

  /** Deletes keys that were revoked or expired before that time. */
  forget: (before: number) => Effect.asVoid(sql`DELETE FROM closeout_keys WHERE revoked_at < ${before} OR expires_at < ${before}`)
})

/** What reads keys, and notes their use. */
const reading = (sql: Sql) => ({
  /** The newest thousand records of those that the manager may see. */
  list: (manager: Manager, { owner, unusedDays }: KeyFilter) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const owned = owner === null ? sql`1 = 1` : sql`owner = ${owner}`
      const unused = unusedDays === null
        ? sql`1 = 1`
        : sql`${liveAt(sql, now)} AND coalesce(last_used_at, created_at) <= ${now - unusedDays * dayMillis}`
      const rows = yield* sql<Row>`SELECT * FROM closeout_keys WHERE ${only(sql, manager)} AND ${owned} AND ${unused}
        ORDER BY created_at DESC, id LIMIT ${mostListed}`
      return rows.map(recordOf)
    }),

  /** The records of live keys among these digests, by digest. */
  live: (digests: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const rows = yield* sql<Row>`SELECT * FROM closeout_keys WHERE ${sql.in("digest", digests)} AND ${liveAt(sql, now)}`
      return new Map(rows.map((row) => [row.digest, liveKeyOf(row)] as const))
    }),

  /** Writes when keys were used last, by id, in milliseconds. A time that is older than the one written changes nothing. */
  used: (times: ReadonlyArray<readonly [id: string, millis: number]>) =>
    sql.withTransaction(
      Effect.forEach(times, ([id, millis]) =>
        sql`UPDATE closeout_keys SET last_used_at = ${millis}
          WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${millis})`, { discard: true })
    ),

  /** Succeeds while the tables can be read and written. What it writes changes nothing. */
  probe: Effect.zipRight(
    sql`SELECT id FROM closeout_keys LIMIT 1`,
    Effect.asVoid(sql`UPDATE closeout_migrations SET applied_at = applied_at WHERE version = 1`)
  )
})

/** The table of keys. Its failures are `SqlError`s of the database; its users decide what one means for callers. */
export const keyTable = Effect.map(SqlClient.SqlClient, (sql) => ({ ...issuing(sql), ...ending(sql), ...reading(sql) }))

export type KeyTable = Effect.Effect.Success<typeof keyTable>
