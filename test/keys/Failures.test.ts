import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Clock, Context, Duration, Effect, Fiber, Layer, TestClock } from "effect"
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { vi } from "vitest"
import { AccountAddress } from "../../src/domain/Address.ts"
import { freshApiKey } from "../../src/keys/ApiKey.ts"
import { everyKey, type Person } from "../../src/keys/KeyTable.ts"
import { sessionMillis, sessionOf, sessionToken } from "../../src/keys/SessionToken.ts"
import { MovedClock } from "../support/JumpingClock.ts"
import { severable } from "../support/Severable.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { type ErrorBody, startTestService } from "../support/TestService.ts"
import { databases, databaseUrl } from "./support/Databases.ts"
import { instance } from "./support/Instance.ts"
import { bearer, challengeFor, sessionFor, signedBy } from "./support/Proving.ts"

const wanted = { owner: "somebody", rateLimit: null }
const operator = { _tag: "Operator" } as const
const person: Person = { _tag: "Person", address: Keypair.random().publicKey(), network: "testnet" }

/** Every change and every uncached look-up, with the answer to each. */
const everything = (one: Effect.Effect.Success<ReturnType<typeof instance>>, id: string) =>
  Effect.all([
    Effect.flip(one.keys.createAny(wanted)),
    Effect.flip(one.keys.createOwn(person)),
    Effect.flip(one.keys.rotate(operator, id)),
    Effect.flip(one.keys.revoke(operator, id))
  ]).pipe(Effect.map((failures) => failures.map(({ _tag }) => _tag)))

const unavailable = ["KeyStoreUnavailable", "KeyStoreUnavailable", "KeyStoreUnavailable", "KeyStoreUnavailable"]

const [sqlite, postgres] = databases

describe("a key store in trouble", () => {
  it.scoped("with a full disk makes and changes nothing, and goes on with what is there", () =>
    Effect.gen(function*() {
      const one = yield* instance(yield* sqlite!.fresh)
      const sql = Context.get(one.context, SqlClient.SqlClient)
      const { key, record } = yield* one.keys.createAny(wanted)
      const [pages] = yield* sql<{ readonly page_count: number }>`PRAGMA page_count`
      // The file system's error when no further page fits.
      yield* sql.unsafe(`PRAGMA max_page_count = ${pages?.page_count ?? 1}`)
      const filled = Effect.repeat(Effect.either(one.keys.createAny({ owner: "x".repeat(128), rateLimit: null })), {
        until: ({ _tag }) => _tag === "Left"
      })
      const last = yield* filled
      assert.strictEqual(last._tag === "Left" ? last.left._tag : "", "KeyStoreUnavailable")
      const before = yield* one.keys.list(operator, everyKey)
      assert.strictEqual((yield* Effect.flip(one.keys.createOwn(person)))._tag, "KeyStoreUnavailable")
      assert.deepStrictEqual(yield* one.keys.list(operator, everyKey), before)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* one.verify(key))?.id, record.id)
      // No transaction was left open: changes work again once there is room.
      yield* sql.unsafe("PRAGMA max_page_count = 100000")
      assert.isString((yield* one.keys.createOwn(person)).key)
    }))

  it.scoped("whose file somebody else has locked answers that it is unavailable, after trying for a while, and then goes on", () =>
    Effect.gen(function*() {
      const path = yield* temporaryFolder
      const service = yield* startTestService({ DATA_DIR: path, ADMIN_TOKEN: "the-operators-token" })
      const admin = { authorization: "Bearer the-operators-token" }
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(join(path, "keys.sqlite"))),
        (database) => Effect.sync(() => database.close())
      )
      const create = service.call<{ readonly error?: { readonly code: string } }>("POST", "/admin/api-keys", { owner: "a" }, admin)
      assert.strictEqual((yield* create).status, 201)
      other.exec("BEGIN IMMEDIATE")
      const asking = yield* Effect.fork(create)
      yield* Effect.repeat(TestClock.adjust("50 millis"), { until: () => Effect.map(asking.status, ({ _tag }) => _tag === "Done") })
      const { body, headers, status } = yield* Fiber.join(asking)
      assert.deepStrictEqual([status, body.error?.code], [503, "key_store_unavailable"])
      assert.match(headers.get("retry-after") ?? "", /^\d+$/)
      // During the outage a challenge opens no session, and is not used up.
      const somebody = Keypair.random()
      const signed = signedBy(yield* challengeFor(service, somebody.publicKey()), somebody)
      const refusing = yield* Effect.fork(sessionFor(service, signed))
      yield* Effect.repeat(TestClock.adjust("50 millis"), { until: () => Effect.map(refusing.status, ({ _tag }) => _tag === "Done") })
      const refused = yield* Fiber.join(refusing)
      assert.deepStrictEqual([refused.status, refused.body.error.code], [503, "key_store_unavailable"])
      other.exec("ROLLBACK")
      assert.strictEqual((yield* create).status, 201)
      assert.deepStrictEqual((yield* Effect.replicateEffect(sessionFor(service, signed), 2)).map((answer) => answer.status), [200, 401])
      const rows = other.prepare("SELECT count(*) AS n FROM closeout_keys").get()
      assert.deepStrictEqual({ ...rows }, { n: 2 })
    }))

  it.scoped("whose file may only be read changes nothing, and knows keys as before", () =>
    Effect.gen(function*() {
      const one = yield* instance(yield* sqlite!.fresh)
      const { key, record } = yield* one.keys.createAny(wanted)
      const sql = Context.get(one.context, SqlClient.SqlClient)
      // SQLite's error on a file system that is mounted read-only.
      yield* one.store.probe
      yield* sql.unsafe("PRAGMA query_only = ON")
      assert.strictEqual((yield* Effect.flip(one.store.probe))._tag, "KeyStoreUnavailable")
      assert.deepStrictEqual(yield* everything(one, record.id), unavailable)
      assert.strictEqual((yield* one.verify(key))?.id, record.id)
      assert.isNull(yield* one.verify(freshApiKey()))
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual((yield* one.keys.list(operator, everyKey)).map((listed) => ({ ...listed, lastUsedAt: null })), [record])
      yield* sql.unsafe("PRAGMA query_only = OFF")
      assert.isNotNull((yield* one.keys.revoke(operator, record.id)).revokedAt)
    }))

  it.scoped("opens no session by a challenge that this machine's clock says is over, or not yet begun, whichever way it jumped", () =>
    Effect.gen(function*() {
      const clock = new MovedClock(Date.now())
      const service = yield* Effect.withClock(startTestService(), clock)
      const somebody = Keypair.random()
      const signed = signedBy(yield* challengeFor(service, somebody.publicKey()), somebody)
      const now = Date.now()
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.useRealTimers()))
      for (const minutes of [15, 21, 24 * 60, -6, -24 * 60]) {
        vi.useRealTimers()
        vi.useFakeTimers({ toFake: ["Date"], now: now + minutes * 60_000 })
        const refused = yield* sessionFor(service, signed)
        assert.deepStrictEqual([minutes, refused.status, refused.body.error?.code], [minutes, 401, "unauthorized"])
      }
      // No failed attempt used the challenge up. It works once, up to its last minute.
      vi.useRealTimers()
      vi.useFakeTimers({ toFake: ["Date"], now: now + 14 * 60_000 })
      const opened = yield* sessionFor(service, signed)
      vi.useRealTimers()
      assert.strictEqual(opened.status, 200)
      // A session from a clock that was an hour ahead is invalid now, and valid again at that time.
      const mine = service.call<unknown>("GET", "/keys/mine", undefined, bearer(opened.body.token))
      const at = clock.unsafeCurrentTimeMillis()
      const dateIs = (millis: number) => Effect.sync(() => clock.setDate(millis - clock.unsafeCurrentTimeMillis()))
      assert.strictEqual((yield* mine).status, 200)
      yield* dateIs(at - 3_600_000)
      assert.strictEqual((yield* mine).status, 401)
      yield* dateIs(at + 1_799_999)
      assert.strictEqual((yield* mine).status, 200)
      yield* dateIs(at + 86_400_000)
      assert.deepStrictEqual([(yield* mine).status, (yield* sessionFor(service, signed)).status], [401, 401])
      yield* dateIs(at)
      assert.deepStrictEqual([(yield* mine).status, (yield* sessionFor(service, signed)).status], [200, 401])
    }))

  it.scoped("keeps its file from other users, in a folder that it makes", () =>
    Effect.gen(function*() {
      const path = join(yield* temporaryFolder, "made", "here")
      yield* startTestService({ DATA_DIR: path })
      const file = join(path, "keys.sqlite")
      assert.isTrue(existsSync(file))
      for (const name of [file, `${file}-wal`]) assert.strictEqual(statSync(name).mode & 0o077, 0)
    }))

  it.scoped("that cannot be opened ends the start, and says which and why without a secret", () =>
    Effect.gen(function*() {
      const path = yield* temporaryFolder
      mkdirSync(join(path, "broken"))
      writeFileSync(join(path, "broken", "keys.sqlite"), "this is no database, and never was one")
      writeFileSync(join(path, "file"), "")
      const newer = join(path, "newer")
      yield* Effect.scoped(startTestService({ DATA_DIR: newer }))
      const database = new DatabaseSync(join(newer, "keys.sqlite"))
      database.exec("INSERT INTO closeout_migrations (version, applied_at) VALUES (1000, 0)")
      database.close()
      const secret = "hunter2hunter2"
      const cases = [
        [{ DATA_DIR: join(path, "broken") }, "keys.sqlite"],
        [{ DATA_DIR: join(path, "file") }, "keys.sqlite"],
        [{ KEY_STORE_URL: `postgres://closeout:${secret}@127.0.0.1:1/closeout` }, "127.0.0.1:1/closeout"],
        [{ DATA_DIR: newer }, "a newer version of this service"],
        [{ KEY_STORE_URL: `mysql://closeout:${secret}@127.0.0.1/closeout` }, "KEY_STORE_URL"],
        [{ KEY_STORE_URL: secret }, "KEY_STORE_URL"]
      ] as const
      for (const [values, named] of cases) {
        const failure = String(yield* Effect.flip(Effect.scoped(startTestService(values))))
        assert.include(failure, named)
        assert.notInclude(failure, secret)
      }
    }))

  it.scoped("does not start with settings of self-service that are none, and repeats no seed", () =>
    Effect.gen(function*() {
      const seed = Keypair.random().secret()
      const cases = [
        [{ SEP10_SECRET: seed.slice(0, -1) }, "SEP10_SECRET"],
        [{ SEP10_SECRET: Keypair.random().publicKey() }, "SEP10_SECRET"],
        [{ PUBLIC_URL: "close.example.org" }, "PUBLIC_URL"],
        [{ PUBLIC_URL: "ftp://close.example.org" }, "PUBLIC_URL"],
        [{ PUBLIC_URL: "https://close.example.org/out" }, "PUBLIC_URL"],
        [{ PUBLIC_URL: "https://me:secret@close.example.org" }, "PUBLIC_URL"],
        [{ PUBLIC_URL: `https://${"long.".repeat(20)}example.org` }, "PUBLIC_URL"]
      ] as const
      for (const [values, named] of cases) {
        const failure = String(yield* Effect.flip(Effect.scoped(startTestService(values))))
        assert.include(failure, named)
        assert.notInclude(failure, seed.slice(0, -1))
      }
    }))

  it.scoped("has one key of its own, made once, for all instances and starts", () =>
    Effect.gen(function*() {
      for (const database of databases) {
        if (!database.isThere) continue
        const opened = yield* database.fresh
        const where = { network: "testnet", passphrase: "a network" } as const
        const address = AccountAddress.make(Keypair.random().publicKey())
        const all = yield* Effect.all(Array.from({ length: 4 }, () => instance(opened)), { concurrency: "unbounded" })
        const { transaction } = yield* all[0]!.selfService.challenge(where, address)
        for (const { selfService } of all) assert.strictEqual(yield* selfService.accountOf(where, transaction), address)
        const stranger = yield* instance(yield* database.fresh)
        assert.strictEqual((yield* Effect.flip(stranger.selfService.accountOf(where, transaction)))._tag, "ChallengeRefused")
      }
    }))

  it.scoped("lets keys of the setting in, and nobody else, while the database is gone", () =>
    Effect.gen(function*() {
      const keys = [freshApiKey(), freshApiKey()] as const
      const one = yield* instance(yield* sqlite!.fresh, { API_KEYS: `static=${keys[0]}` })
      const { key } = yield* one.keys.createAny(wanted)
      yield* Context.get(one.context, SqlClient.SqlClient).unsafe("DROP TABLE closeout_keys")
      assert.strictEqual((yield* one.verify(keys[0]))?.id, "static")
      for (const other of [key, keys[1]]) assert.strictEqual((yield* Effect.flip(one.verify(other)))._tag, "KeyStoreUnavailable")
      assert.strictEqual((yield* Effect.flip(one.store.probe))._tag, "KeyStoreUnavailable")
    }))

  it.scoped("is not asked again for a key it just told of, and lets nobody in for longer than that", () =>
    Effect.gen(function*() {
      const one = yield* instance(yield* sqlite!.fresh)
      const { key, record } = yield* one.keys.createAny(wanted)
      assert.isNotNull(yield* one.verify(key))
      yield* Context.get(one.context, SqlClient.SqlClient).unsafe("DROP TABLE closeout_keys")
      yield* TestClock.adjust("2999 millis")
      assert.strictEqual((yield* one.verify(key))?.id, record.id)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Effect.flip(one.verify(key)))._tag, "KeyStoreUnavailable")
    }))

  it.scoped("with a clock that jumps neither keeps a revoked key alive nor forgets a challenge", () =>
    Effect.gen(function*() {
      const opened = yield* sqlite!.fresh
      const [one, two] = yield* Effect.all([instance(opened), instance(opened)])
      const { key, record } = yield* one.keys.createAny(wanted)
      assert.isNotNull(yield* two.verify(key))
      yield* one.keys.revoke(operator, record.id)
      const real = yield* Clock.clockWith(Effect.succeed)
      const setBack: Clock.Clock = {
        ...real,
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        currentTimeMillis: Effect.succeed(0),
        unsafeCurrentTimeMillis: () => 0,
        unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos()
      }
      yield* TestClock.adjust("3 seconds")
      assert.isNull(yield* Effect.withClock(two.verify(key), setBack))
    }))

  it("takes no session of a clock that was wrong", () => {
    const key = Buffer.alloc(32, 1)
    const address = AccountAddress.make(Keypair.random().publicKey())
    const day = 86_400_000
    const token = sessionToken(key, { network: "testnet", address, issuedAt: 10 * day, expiresAt: 10 * day + sessionMillis })
    const isOpen = (now: number) => sessionOf(key, token, now)._tag === "Some"
    assert.deepStrictEqual([9 * day, 10 * day - 60_001, 10 * day - 60_000, 10 * day, 10 * day + sessionMillis - 1].map(isOpen), [
      false,
      false,
      true,
      true,
      true
    ])
    assert.deepStrictEqual([10 * day + sessionMillis, 11 * day].map(isOpen), [false, false])
    const long = sessionToken(key, { network: "testnet", address, issuedAt: 0, expiresAt: 365 * day })
    assert.strictEqual(sessionOf(key, long, 1)._tag, "None")
  })
})

describe.skipIf(!postgres!.isThere)(`a key store in trouble in ${postgres!.name}`, () => {
  it.scoped("that throws its clients out is unavailable for a moment at most, and goes on", () =>
    Effect.gen(function*() {
      const opened = yield* postgres!.fresh
      const one = yield* instance(opened)
      const { key, record } = yield* one.keys.createAny(wanted)
      const sql = Context.get(one.context, SqlClient.SqlClient)
      yield* Effect.ignore(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()`)
      yield* Effect.retry(one.store.probe, { times: 20 })
      assert.strictEqual((yield* one.verify(key))?.id, record.id)
    }))

  it.scopedLive("that is stopped lets in nobody but the keys of the setting, says so everywhere, and has lost nothing when it is back", () =>
    Effect.gen(function*() {
      const { cut, mend, url } = yield* severable(yield* databaseUrl)
      const fixed = freshApiKey()
      const service = yield* startTestService({ KEY_STORE_URL: url, API_KEYS: `shop=${fixed}`, ADMIN_TOKEN: "the-operators-token" })
      const admin = bearer("the-operators-token")
      const asked = (key: string) => service.call<ErrorBody>("GET", "/testnet/paths", undefined, bearer(key))
      const create = service.call<{ readonly key: string } & ErrorBody>("POST", "/admin/api-keys", { owner: "a" }, admin)
      const { key } = (yield* create).body
      const somebody = Keypair.random()
      const signed = signedBy(yield* challengeFor(service, somebody.publicKey()), somebody)
      yield* cut
      assert.strictEqual((yield* asked(fixed)).status, 400)
      for (
        const answer of yield* Effect.all([
          asked(key),
          asked(freshApiKey()),
          create,
          service.call<ErrorBody>("GET", "/admin/api-keys", undefined, admin),
          sessionFor(service, signed)
        ], { concurrency: "unbounded" })
      ) {
        assert.deepStrictEqual([answer.status, answer.body.error.code], [503, "key_store_unavailable"])
        assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
      }
      const health = yield* service.call<{ readonly error: Readonly<Record<string, { readonly status: string }>> }>("GET", "/health/deep")
      assert.deepStrictEqual([health.status, health.body.error["key_store"]?.status], [503, "down"])
      yield* mend
      const again = yield* Effect.repeat(asked(key), { until: ({ status }) => status !== 503, times: 50 })
      assert.strictEqual(again.status, 400)
      assert.deepStrictEqual((yield* Effect.replicateEffect(sessionFor(service, signed), 2)).map(({ status }) => status), [200, 401])
      const listed = yield* service.call<{ readonly keys: ReadonlyArray<unknown> }>("GET", "/admin/api-keys", undefined, admin)
      assert.lengthOf(listed.body.keys, 1)
    }))

  it.scopedLive("that hangs keeps the first caller waiting and no other, is asked once a second, and is used again when it answers", () =>
    Effect.gen(function*() {
      const opened = yield* postgres!.fresh
      const fixed = freshApiKey()
      const one = yield* instance(opened, { API_KEYS: `shop=${fixed}` })
      const { key } = yield* one.keys.createAny(wanted)
      const other = Context.get(yield* Layer.build(opened), SqlClient.SqlClient)
      const held = yield* other.reserve
      yield* held.executeUnprepared("BEGIN", [], undefined)
      yield* held.executeUnprepared("LOCK TABLE closeout_keys IN ACCESS EXCLUSIVE MODE", [], undefined)
      const [first] = yield* Effect.timed(Effect.flip(one.verify(key)))
      assert.isBelow(Duration.toMillis(first), 3_500)
      const refused = Effect.flip(one.verify(freshApiKey()))
      const [later, failures] = yield* Effect.timed(Effect.replicateEffect(refused, 200))
      assert.isTrue(failures.every(({ _tag }) => _tag === "KeyStoreUnavailable"))
      // Two hundred callers together wait for less time than one did.
      assert.isBelow(Duration.toMillis(later), 1_000)
      assert.strictEqual((yield* one.verify(fixed))?.id, "shop")
      yield* held.executeUnprepared("ROLLBACK", [], undefined)
      assert.isNotNull(yield* Effect.eventually(one.verify(key)))
      assert.isNull(yield* one.verify(freshApiKey()))
    }))

  it.live("whose table is held by somebody else answers within seconds that it is unavailable, and lets nobody in", () =>
    Effect.scoped(Effect.gen(function*() {
      const opened = yield* postgres!.fresh
      const one = yield* instance(opened)
      const { key, record } = yield* one.keys.createAny(wanted)
      const other = Context.get(yield* Layer.build(opened), SqlClient.SqlClient)
      const held = yield* other.reserve
      yield* held.executeUnprepared("BEGIN", [], undefined)
      yield* held.executeUnprepared("LOCK TABLE closeout_keys IN ACCESS EXCLUSIVE MODE", [], undefined)
      const [found, changes] = yield* Effect.all([Effect.flip(one.verify(key)), everything(one, record.id)], { concurrency: 2 })
      assert.strictEqual(found._tag, "KeyStoreUnavailable")
      assert.deepStrictEqual(changes, unavailable)
      yield* held.executeUnprepared("ROLLBACK", [], undefined)
      assert.isNotNull(yield* Effect.eventually(one.verify(key)))
      assert.lengthOf(yield* one.keys.list(operator, everyKey), 1)
    })))
})
