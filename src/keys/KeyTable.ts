import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { ApiKeyRecord, RateLimitSetting } from "../domain/ApiKeyRecord.ts"
import { ApiKeyNotFound, KeyLimitReached } from "../domain/failure/Request.ts"
import { showMillis } from "../domain/Instant.ts"
import type { Network } from "../domain/Network.ts"
import { apiKeyDigest, freshApiKey } from "./ApiKey.ts"

/** Most live keys that one account may make for itself. */
export const mostLiveKeys = 5

/** Most records of one answer, the newest first. */
export const mostListed = 1_000

/**
 * Whose keys somebody manages: the operator all of them, a person those that were made for the account they proved on that network. A key
 * of the same address that was made by the operator, or proved on another network, is not theirs: there another key may sign for it.
 */
export type Manager = { readonly _tag: "Operator" } | Person

/** Who proved control of an account on a network. */
export interface Person {
  readonly _tag: "Person"
  readonly address: string
  readonly network: Network
}

/** What a new key is to be. */
export interface NewKey {
  readonly owner: string
  readonly rateLimit: RateLimitSetting | null
}

/** A new key, which is nowhere else, and its record. */
export interface Issued {
  readonly key: string
  readonly record: ApiKeyRecord
}

/** PostgreSQL gives large numbers as texts. */
type Whole = number | string

interface Row {
  readonly id: string
  readonly digest: string
  readonly owner: string
  readonly network: Network | null
  readonly created_at: Whole
  readonly revoked_at: Whole | null
  readonly rotated_from: string | null
  readonly last_used_at: Whole | null
  readonly rate_limit: Whole | null
  readonly rate_window_seconds: Whole | null
}

const shown = (millis: Whole | null): string | null => (millis === null ? null : showMillis(Number(millis)))

const recordOf = (row: Row): ApiKeyRecord => ({
  id: row.id,
  owner: row.owner,
  createdAt: showMillis(Number(row.created_at)),
  revokedAt: shown(row.revoked_at),
  rotatedFrom: row.rotated_from,
  lastUsedAt: shown(row.last_used_at),
  rateLimit: row.rate_limit === null || row.rate_window_seconds === null
    ? null
    : { limit: Number(row.rate_limit), windowSeconds: Number(row.rate_window_seconds) }
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A text that is no id is asked of no database. */
const checkedId = (id: string): Effect.Effect<void, ApiKeyNotFound> => (uuid.test(id) ? Effect.void : new ApiKeyNotFound({ id }))

/** How a key is named in the table: its SHA-256, in hex. */
export const digestText = (digest: Uint8Array): string => Buffer.from(digest).toString("hex")

/** The table of keys. Whatever the database refuses is a `SqlError`; what it means for callers is decided by who asks. */
export const keyTable = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const only = (manager: Manager) =>
    manager._tag === "Operator" ? sql`1 = 1` : sql`owner = ${manager.address} AND network = ${manager.network}`

  /** PostgreSQL lets two count at once; SQLite's transactions stand in a row anyway. */
  const oneAtATime = (owner: string) =>
    sql.onDialectOrElse({
      pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtext(${owner}))`),
      orElse: () => Effect.void
    })

  const insert = (wanted: NewKey, network: Network | null, rotatedFrom: string | null) =>
    Effect.gen(function*() {
      const key = freshApiKey()
      const now = yield* Clock.currentTimeMillis
      const row: Row = {
        id: randomUUID(),
        digest: digestText(apiKeyDigest(key)),
        owner: wanted.owner,
        network,
        created_at: now,
        revoked_at: null,
        rotated_from: rotatedFrom,
        last_used_at: null,
        rate_limit: wanted.rateLimit?.limit ?? null,
        rate_window_seconds: wanted.rateLimit?.windowSeconds ?? null
      }
      yield* sql`INSERT INTO closeout_keys ${sql.insert({ ...row })}`
      const issued: Issued = { key, record: recordOf(row) }
      return issued
    })

  const liveOf = (address: string, network: Network) =>
    Effect.map(
      sql<{ readonly live: Whole }>`SELECT count(*) AS live FROM closeout_keys
        WHERE owner = ${address} AND network = ${network} AND revoked_at IS NULL`,
      ([found]) => Number(found?.live ?? 0)
    )

  const revokedNow = (manager: Manager, id: string) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const [row] = yield* sql<Row>`UPDATE closeout_keys SET revoked_at = ${now}
        WHERE id = ${id} AND revoked_at IS NULL AND ${only(manager)} RETURNING *`
      return row ?? null
    })

  return {
    /** Makes a key for anybody. */
    createAny: (wanted: NewKey) => insert(wanted, null, null),

    /** Makes a key for a person, who may have five that are live. */
    createOwn: ({ address, network }: Person) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* oneAtATime(address)
        if ((yield* liveOf(address, network)) >= mostLiveKeys) return yield* new KeyLimitReached()
        return yield* insert({ owner: address, rateLimit: null }, network, null)
      })),

    /** The newest thousand records that the manager may see; of one owner, where one is named. */
    list: (manager: Manager, owner: string | null) =>
      Effect.map(
        sql<Row>`SELECT * FROM closeout_keys WHERE ${only(manager)} AND ${owner === null ? sql`1 = 1` : sql`owner = ${owner}`}
          ORDER BY created_at DESC, id LIMIT ${mostListed}`,
        (rows) => rows.map(recordOf)
      ),

    /** Ends a key; one that has ended stays as it is. */
    revoke: (manager: Manager, id: string) =>
      Effect.gen(function*() {
        yield* checkedId(id)
        const now = yield* revokedNow(manager, id)
        const [row] = now === null ? yield* sql<Row>`SELECT * FROM closeout_keys WHERE id = ${id} AND ${only(manager)}` : [now]
        return row === undefined ? yield* new ApiKeyNotFound({ id }) : recordOf(row)
      }),

    /** Ends a live key and makes its successor, both or neither. */
    rotate: (manager: Manager, id: string) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* checkedId(id)
        const row = yield* revokedNow(manager, id)
        if (row === null) return yield* new ApiKeyNotFound({ id })
        const { owner, rateLimit } = recordOf(row)
        return yield* insert({ owner, rateLimit }, row.network, id)
      })),

    /** The records of live keys among these digests, by digest. */
    live: (digests: ReadonlyArray<string>) =>
      Effect.map(
        sql<Row>`SELECT * FROM closeout_keys WHERE ${sql.in("digest", digests)} AND revoked_at IS NULL`,
        (rows) => new Map(rows.map((row) => [row.digest, recordOf(row)] as const))
      ),

    /** Writes when keys were used last, by id, in milliseconds. A time that is older than the one written changes nothing. */
    used: (times: ReadonlyArray<readonly [id: string, millis: number]>) =>
      sql.withTransaction(
        Effect.forEach(times, ([id, millis]) =>
          sql`UPDATE closeout_keys SET last_used_at = ${millis}
            WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${millis})`, { discard: true })
      ),

    /** Forgets keys that were revoked before that time. */
    forget: (before: number) => Effect.asVoid(sql`DELETE FROM closeout_keys WHERE revoked_at < ${before}`),

    /** Succeeds while the tables can be read and written. What it writes changes nothing. */
    probe: Effect.zipRight(
      sql`SELECT id FROM closeout_keys LIMIT 1`,
      Effect.asVoid(sql`UPDATE closeout_migrations SET applied_at = applied_at WHERE version = 1`)
    )
  }
})

export type KeyTable = Effect.Effect.Success<typeof keyTable>
