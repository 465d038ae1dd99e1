import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Context, Effect, TestClock } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exportedKeys, importKeys, type KeyFile, readKeyFile } from "../../src/keys/KeyFile.ts"
import { everyKey, type Person } from "../../src/keys/KeyTable.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { isThorough } from "../support/Thorough.ts"
import { type Database, databases, databaseUrl } from "./support/Databases.ts"
import { instance } from "./support/Instance.ts"

const operator = { _tag: "Operator" } as const

type Instance = Effect.Effect.Success<ReturnType<typeof instance>>

const over = <A, E>({ context }: Instance, work: Effect.Effect<A, E, SqlClient.SqlClient>): Effect.Effect<A, E> =>
  Effect.provideService(work, SqlClient.SqlClient, Context.get(context, SqlClient.SqlClient))

const fresh = (database: Database) => Effect.flatMap(database.fresh, (opened) => instance(opened))

const there = databases.filter(({ isThere }) => isThere)

const pairs = there.flatMap((from) => there.map((to) => [from, to] as const))

for (const [from, to] of pairs) {
  describe(`the keys of ${from.name}, written into a file and read into ${to.name},`, () => {
    it.scoped("are the same keys there, with the same windows of the rate limit", () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(Date.UTC(2026, 0, 2))
        const one = yield* fresh(from)
        const person: Person = { _tag: "Person", address: Keypair.random().publicKey(), network: "testnet" }
        const live = yield* one.keys.createAny({ owner: "acme", rateLimit: { limit: 7, windowSeconds: 9 } }, {
          label: "shop",
          expiresAt: Date.UTC(2027, 0, 1)
        })
        const revoked = yield* one.keys.createOwn(person)
        yield* one.keys.revoke(person, revoked.record.id)
        const old = yield* one.keys.createOwn(person)
        const next = yield* one.keys.rotate(person, old.record.id, 3_600)
        const used = { hash: "ab".repeat(32), expires_at: Date.UTC(2026, 0, 3) }
        yield* over(one, Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO closeout_used_challenges ${sql.insert(used)}`))

        const file = yield* over(one, exportedKeys)
        const text = JSON.stringify(file)
        for (const { key } of [live, revoked, old, next]) assert.notInclude(text, key.slice(3))
        assert.notMatch(text, /\bS[A-Z2-7]{55}\b/)

        const two = yield* fresh(to)
        yield* over(two, importKeys(yield* readKeyFile(text)))
        assert.deepStrictEqual(yield* two.keys.list(operator, everyKey), yield* one.keys.list(operator, everyKey))
        assert.deepStrictEqual(yield* over(two, exportedKeys), file)
        assert.deepStrictEqual(yield* two.verify(live.key), { ...live.record, rateWindow: live.record.id })
        assert.isNull(yield* two.verify(revoked.key))
        for (const { key } of [old, next]) assert.strictEqual((yield* two.verify(key))?.rateWindow, old.record.id)
        assert.strictEqual((yield* Effect.flip(two.keys.rotate(person, old.record.id)))._tag, "ApiKeyNotFound")
      }))

    it.scoped("end with the earlier of two ends where they are read again, and an old file revives none", () =>
      Effect.gen(function*() {
        const one = yield* fresh(from)
        const two = yield* fresh(to)
        const wanted = { owner: "somebody", rateLimit: null }
        const [kept, later] = [yield* one.keys.createAny(wanted), yield* one.keys.createAny(wanted)]
        const before = yield* over(one, exportedKeys)
        yield* over(two, importKeys(before))
        yield* one.keys.revoke(operator, later.record.id)
        yield* two.keys.rotate(operator, kept.record.id, 60)
        yield* over(two, importKeys(yield* over(one, exportedKeys)))
        const ends = Effect.map(over(two, exportedKeys), ({ keys }) =>
          new Map(keys.map(({ expires_at, id, revoked_at }) => [id, [expires_at, revoked_at]])))
        const merged = yield* ends
        assert.deepStrictEqual([merged.get(kept.record.id), merged.get(later.record.id)], [[60_000, null], [null, 0]])
        yield* over(two, importKeys(before))
        assert.deepStrictEqual(yield* ends, merged)
      }))
  })
}

/** Runs a script on a file. Returns its exit status and its output. */
const run = (script: string, file: string, settings: Readonly<Record<string, string>>) => {
  const { NODE_COMPILE_CACHE = "", PATH = "" } = process.env
  const { status, stderr, stdout } = spawnSync(process.execPath, [`scripts/${script}.ts`, file], {
    env: { PATH, NODE_COMPILE_CACHE, ...settings },
    encoding: "utf8"
  })
  return { status, words: `${stdout}${stderr}`.replace(/^\(node:.*\n?|^\(Use .*\n?/gm, "").trim() }
}

describe("a file of keys", () => {
  it.scoped("of another shape, or with an id that is another key's here, changes nothing", () =>
    Effect.gen(function*() {
      const one = yield* fresh(there[0]!)
      yield* one.keys.createAny({ owner: "somebody", rateLimit: null })
      const file = yield* over(one, exportedKeys)
      const [row] = file.keys
      const wrong = {
        ...file,
        keys: [{ ...row!, id: "0".repeat(8) + row!.id.slice(8), digest: "0".repeat(64) }, { ...row!, digest: "1".repeat(64) }]
      }
      const refusal = yield* Effect.flip(over(one, importKeys(wrong as KeyFile)))
      assert.include(String(refusal), "digest")
      assert.deepStrictEqual(yield* over(one, exportedKeys), file)
      for (
        const text of ["", "{}", "[]", JSON.stringify({ ...file, version: 2 }), JSON.stringify({ ...file, keys: [{ ...row, id: "x" }] })]
      ) {
        assert.strictEqual((yield* Effect.flip(readKeyFile(text)))._tag, "KeyFileRefused")
      }
    }))

  it.scopedLive("is written for its owner only, never over another file, and read by the scripts", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = join(folder, "keys.json")
      const sqlite = { DATA_DIR: join(folder, "data") }
      assert.deepStrictEqual(run("keys-export", file, sqlite), { status: 0, words: `0 keys written to ${file}` })
      assert.strictEqual(statSync(file).mode & 0o077, 0)
      const again = run("keys-export", file, sqlite)
      assert.deepStrictEqual(again, { status: 1, words: `${file} cannot be written, or is there already` })
      const id = "00000000-0000-0000-0000-000000000000"
      const nulls = { network: null, label: null, last4: null, expires_at: null, revoked_at: null, rotated_from: null, replaced_by: null }
      const row = {
        id,
        digest: "a".repeat(64),
        owner: "moved",
        created_at: 1,
        ...nulls,
        last_used_at: null,
        rate_limit: null,
        rate_window_seconds: null,
        rate_window: null
      }
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), keys: [row] }))
      const target = there.length > 1 ? { KEY_STORE_URL: yield* databaseUrl } : sqlite
      assert.deepStrictEqual(run("keys-import", file, target), { status: 0, words: `1 keys of ${file} are in the store` })
      const back = join(folder, "back.json")
      assert.strictEqual(run("keys-export", back, target).status, 0)
      assert.deepStrictEqual(JSON.parse(readFileSync(back, "utf8")).keys, [row])
    }), 60_000)

  it.scopedLive.runIf(isThorough)(
    "that is broken, and a store that is away, are told in words and without a password",
    () =>
      Effect.gen(function*() {
        const folder = yield* temporaryFolder
        const file = join(folder, "keys.json")
        writeFileSync(file, "{}")
        const broken = run("keys-import", file, { DATA_DIR: join(folder, "data") })
        assert.strictEqual(broken.status, 1)
        assert.include(broken.words, `${file}: `)
        const away = run("keys-export", join(folder, "none.json"), { KEY_STORE_URL: "postgres://closeout:hunter2@127.0.0.1:1/closeout" })
        assert.strictEqual(away.status, 1)
        assert.include(away.words, "127.0.0.1:1/closeout")
        assert.notInclude(away.words, "hunter2")
      }),
    60_000
  )
})
