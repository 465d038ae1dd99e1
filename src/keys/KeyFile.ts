import { SqlClient } from "@effect/sql"
import { Data, Effect, ParseResult, Schema } from "effect"
import { Int } from "../domain/Leaf.ts"
import { Network } from "../domain/Network.ts"

/** Milliseconds since 1970, or null. */
const Time = Schema.NullOr(Int)

const Id = Schema.String.pipe(Schema.pattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

const Digest = Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/))

/** A row of `closeout_keys` by its columns. `digest` is the SHA-256 of the key: no key can be made of it. */
const KeyRow = Schema.Struct({
  id: Id,
  digest: Digest,
  owner: Schema.String,
  network: Schema.NullOr(Network),
  label: Schema.NullOr(Schema.String),
  last4: Schema.NullOr(Schema.String),
  created_at: Int,
  expires_at: Time,
  revoked_at: Time,
  rotated_from: Schema.NullOr(Id),
  replaced_by: Schema.NullOr(Id),
  last_used_at: Time,
  rate_limit: Schema.NullOr(Int),
  rate_window_seconds: Schema.NullOr(Int),
  rate_window: Schema.NullOr(Id)
})

/** A challenge that opened a session, so that it opens no second one elsewhere. */
const ChallengeRow = Schema.Struct({ hash: Digest, expires_at: Int })

/** What `npm run keys:export` writes: everything of a key store but the server's own secret. */
export const KeyFile = Schema.Struct({
  format: Schema.Literal("account-closeout-keys"),
  version: Schema.Literal(1),
  keys: Schema.Array(KeyRow),
  usedChallenges: Schema.Array(ChallengeRow)
})
export type KeyFile = typeof KeyFile.Type

/** A file of keys, or the store that it goes to or comes from, cannot be used. Nothing was changed. */
export class KeyFileRefused extends Data.TaggedError("KeyFileRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Most rows of one statement. */
const mostAtOnce = 500

/** PostgreSQL gives large numbers as texts. */
const wholes = ["created_at", "expires_at", "revoked_at", "last_used_at", "rate_limit", "rate_window_seconds"]

const plain = (row: object): object =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, wholes.includes(name) && value !== null ? Number(value) : value]))

const decode = (said: unknown) =>
  Effect.mapError(
    Schema.decodeUnknown(KeyFile)(said, { onExcessProperty: "error" }),
    (problem) => {
      const [first] = ParseResult.ArrayFormatter.formatErrorSync(problem)
      return new KeyFileRefused({ reason: `${first?.path.join(".") ?? "it"}: ${first?.message ?? "has another shape"}` })
    }
  )

/** The file that a text holds. */
export const readKeyFile = (text: string): Effect.Effect<KeyFile, KeyFileRefused> =>
  Effect.flatMap(
    Effect.try({ try: (): unknown => JSON.parse(text), catch: () => new KeyFileRefused({ reason: "is not JSON" }) }),
    decode
  )

/** All rows of a table, by pages, as they are at one moment. */
const allRows = (table: "closeout_keys" | "closeout_used_challenges", key: "id" | "hash") =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows: Array<object> = []
    for (let after = "";;) {
      const page = yield* sql<Readonly<Record<string, unknown>>>`SELECT * FROM ${sql(table)} WHERE ${sql(key)} > ${after}
        ORDER BY ${sql(key)} LIMIT ${mostAtOnce}`
      rows.push(...page.map(plain))
      if (page.length < mostAtOnce) return rows
      after = String(page.at(-1)?.[key])
    }
  })

/** Everything of the key store but its secret. */
export const exportedKeys = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql.onDialectOrElse({
      pg: () => Effect.asVoid(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`),
      orElse: () => Effect.void
    })
    const keys = yield* allRows("closeout_keys", "id")
    const usedChallenges = yield* allRows("closeout_used_challenges", "hash")
    return yield* decode({ format: "account-closeout-keys", version: 1, keys, usedChallenges })
  }))
})

const chunks = <A>(rows: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(rows.length / mostAtOnce) }, (_, at) => rows.slice(at * mostAtOnce, (at + 1) * mostAtOnce))

/** Of two times the one that is stricter on the key: the earlier of both, or the one that is there. */
const earlier = (column: "revoked_at" | "expires_at") =>
  `${column} = CASE WHEN closeout_keys.${column} IS NULL OR excluded.${column} < closeout_keys.${column}
    THEN excluded.${column} ELSE closeout_keys.${column} END`

/** A key that is in the store already ends no later than either side says. */
const merged = [
  earlier("revoked_at"),
  earlier("expires_at"),
  "replaced_by = coalesce(closeout_keys.replaced_by, excluded.replaced_by)",
  `last_used_at = CASE WHEN closeout_keys.last_used_at IS NULL OR excluded.last_used_at > closeout_keys.last_used_at
    THEN excluded.last_used_at ELSE closeout_keys.last_used_at END`
].join(", ")

/** Puts a file into the key store, all of it or nothing. May be repeated: keys already in the store are merged. */
export const importKeys = ({ keys, usedChallenges }: KeyFile) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(Effect.gen(function*() {
      for (const rows of chunks(keys)) {
        const taken = yield* sql`INSERT INTO closeout_keys ${sql.insert(rows.map((row) => ({ ...row })))}
          ON CONFLICT (id) DO UPDATE SET ${sql.literal(merged)} WHERE closeout_keys.digest = excluded.digest RETURNING id`
        if (taken.length < rows.length) {
          return yield* new KeyFileRefused({ reason: "the store has a key with the same id as a key in the file, but another digest" })
        }
      }
      for (const rows of chunks(usedChallenges)) {
        yield* sql`INSERT INTO closeout_used_challenges ${sql.insert(rows.map((row) => ({ ...row })))} ON CONFLICT (hash) DO NOTHING`
      }
    }))
  })
