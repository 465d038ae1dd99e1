import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Exit, Scope, TestClock } from "effect"
import { freshApiKey, isApiKey } from "../../src/keys/ApiKey.ts"
import { everyKey, type Person } from "../../src/keys/KeyTable.ts"
import { databases } from "./support/Databases.ts"
import { instance } from "./support/Instance.ts"

const operator = { _tag: "Operator" } as const
const person = (network: Person["network"] = "testnet"): Person => ({ _tag: "Person", address: Keypair.random().publicKey(), network })
const wanted = { owner: "somebody", rateLimit: null }
const dead = "3 seconds"

for (const database of databases) {
  describe.skipIf(!database.isThere)(`keys in ${database.name}`, () => {
    it.scoped("are known from when they are made until they are revoked, and their records tell it", () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(Date.UTC(2026, 0, 2))
        const one = yield* instance(yield* database.fresh)
        const { key, record } = yield* one.keys.createAny({ owner: "somebody", rateLimit: { limit: 7, windowSeconds: 9 } })
        assert.isTrue(isApiKey(key))
        assert.deepStrictEqual(record, {
          id: record.id,
          owner: "somebody",
          label: null,
          last4: key.slice(-4),
          createdAt: "2026-01-02T00:00:00.000Z",
          expiresAt: null,
          revokedAt: null,
          rotatedFrom: null,
          lastUsedAt: null,
          rateLimit: { limit: 7, windowSeconds: 9 }
        })
        assert.deepStrictEqual(yield* one.verify(key), { ...record, rateWindow: record.id })
        yield* TestClock.adjust("1 second")
        const revoked = yield* one.keys.revoke(operator, record.id)
        assert.deepStrictEqual(revoked, {
          ...record,
          lastUsedAt: "2026-01-02T00:00:00.000Z",
          revokedAt: "2026-01-02T00:00:01.000Z"
        })
        assert.isNull(yield* one.verify(key))
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* one.keys.revoke(operator, record.id), revoked)
        assert.deepStrictEqual(yield* one.keys.list(operator, { ...everyKey, owner: "somebody" }), [revoked])
      }))

    it.scoped("that are unknown are none, however many are asked for at once", () =>
      Effect.gen(function*() {
        const one = yield* instance(yield* database.fresh)
        const { key } = yield* one.keys.createAny(wanted)
        const invented = Array.from({ length: 2_000 }, freshApiKey)
        const found = yield* Effect.forEach([...invented, key], one.verify, { concurrency: "unbounded" })
        assert.strictEqual(found.filter((record) => record !== null).length, 1)
        assert.strictEqual(found.at(-1)?.owner, "somebody")
      }))

    it.scoped("are refused with more waiting than can be asked for, and nobody is let in", () =>
      Effect.gen(function*() {
        const one = yield* instance(yield* database.fresh)
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 8_000 }, freshApiKey),
          (key) => Effect.merge(Effect.map(one.verify(key), (record) => record === null ? "unknown" : "known")),
          { concurrency: "unbounded" }
        )
        assert.notInclude(outcomes, "known")
        assert.isTrue(
          outcomes.every((outcome) => outcome === "unknown" || (typeof outcome === "object" && outcome._tag === "KeyStoreUnavailable"))
        )
      }))

    it.scoped("are kept as their SHA-256 only", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const { keys } = yield* instance(opened)
        const { key } = yield* keys.createAny(wanted)
        const rows = yield* Effect.provide(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM closeout_keys`), opened)
        assert.lengthOf(rows, 1)
        assert.notInclude(JSON.stringify(rows), key.slice(3))
      }))

    it.scoped("are found again by the next start, and by another instance", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const scope = yield* Scope.make()
        const first = yield* Scope.extend(instance(opened), scope)
        const { key, record } = yield* first.keys.createAny(wanted)
        const other = yield* instance(opened)
        assert.strictEqual((yield* other.verify(key))?.id, record.id)
        yield* Scope.close(scope, Exit.void)
        const next = yield* instance(opened)
        assert.strictEqual((yield* next.verify(key))?.id, record.id)
      }))

    it.scoped("revoked at one instance are dead at every other within five seconds, and rotated ones too", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const [one, two, three] = yield* Effect.all([instance(opened), instance(opened), instance(opened)])
        const [first, second] = [yield* one.keys.createAny(wanted), yield* one.keys.createAny(wanted)]
        for (const each of [one, two, three]) {
          assert.isNotNull(yield* each.verify(first.key))
          assert.isNotNull(yield* each.verify(second.key))
        }
        yield* one.keys.revoke(operator, first.record.id)
        const successor = yield* one.keys.rotate(operator, second.record.id)
        assert.deepStrictEqual([yield* one.verify(first.key), yield* one.verify(second.key)], [null, null])
        assert.isNotNull(yield* two.verify(first.key))
        yield* TestClock.adjust(dead)
        for (const each of [one, two, three]) {
          assert.deepStrictEqual([yield* each.verify(first.key), yield* each.verify(second.key)], [null, null])
          assert.strictEqual((yield* each.verify(successor.key))?.rotatedFrom, second.record.id)
        }
      }))

    it.scoped("that are rotated leave one successor, with the same owner and rate", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const [one, two] = yield* Effect.all([instance(opened), instance(opened)])
        const { record } = yield* one.keys.createAny({ owner: "somebody", rateLimit: { limit: 2, windowSeconds: 3 } })
        const rotate = (each: typeof one) => Effect.either(each.keys.rotate(operator, record.id))
        const outcomes = yield* Effect.all([rotate(one), rotate(two), rotate(one), rotate(two)], { concurrency: "unbounded" })
        assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag).toSorted(), ["Left", "Left", "Left", "Right"])
        for (const outcome of outcomes) if (outcome._tag === "Left") assert.strictEqual(outcome.left._tag, "ApiKeyNotFound")
        const live = (yield* one.keys.list(operator, everyKey)).filter(({ revokedAt }) => revokedAt === null)
        assert.deepStrictEqual(live.map(({ owner, rateLimit, rotatedFrom }) => [owner, rateLimit, rotatedFrom]), [
          ["somebody", { limit: 2, windowSeconds: 3 }, record.id]
        ])
      }))

    it.scoped("of a person are five at most, though they ask at several instances at once", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const [one, two] = yield* Effect.all([instance(opened), instance(opened)])
        const somebody = person()
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : two)),
          ({ keys }) => Effect.either(keys.createOwn(somebody)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(outcomes.filter(({ _tag }) => _tag === "Right"), 5)
        for (const outcome of outcomes) if (outcome._tag === "Left") assert.strictEqual(outcome.left._tag, "KeyLimitReached")
        const [first] = yield* one.keys.list(somebody, everyKey)
        yield* two.keys.rotate(somebody, first?.id ?? "")
        assert.strictEqual((yield* Effect.flip(one.keys.createOwn(somebody)))._tag, "KeyLimitReached")
        const live = (yield* one.keys.list(somebody, everyKey)).filter(({ revokedAt }) => revokedAt === null)
        yield* one.keys.revoke(somebody, live[0]?.id ?? "")
        yield* two.keys.createOwn(somebody)
        assert.strictEqual((yield* Effect.flip(one.keys.createOwn(somebody)))._tag, "KeyLimitReached")
      }))

    it.scoped("are managed by nobody but their person and the operator", () =>
      Effect.gen(function*() {
        const { keys, verify } = yield* instance(yield* database.fresh)
        const owner = person()
        const mine = yield* keys.createOwn(owner)
        const theirs = yield* keys.createAny({ owner: owner.address, rateLimit: null })
        const strangers: ReadonlyArray<Person> = [person(), { ...owner, network: "mainnet" }]
        for (const stranger of strangers) {
          assert.deepStrictEqual(yield* keys.list(stranger, everyKey), [])
          for (const { record } of [mine, theirs]) {
            assert.strictEqual((yield* Effect.flip(keys.revoke(stranger, record.id)))._tag, "ApiKeyNotFound")
            assert.strictEqual((yield* Effect.flip(keys.rotate(stranger, record.id)))._tag, "ApiKeyNotFound")
          }
        }
        // A key that the operator made for an address belongs to the operator.
        assert.strictEqual((yield* Effect.flip(keys.revoke(owner, theirs.record.id)))._tag, "ApiKeyNotFound")
        assert.deepStrictEqual(yield* keys.list(owner, everyKey), [mine.record])
        assert.isNotNull(yield* verify(mine.key))
        assert.lengthOf(yield* keys.list(operator, { ...everyKey, owner: owner.address }), 2)
        yield* keys.revoke(operator, mine.record.id)
        assert.isNull(yield* verify(mine.key))
      }))

    it.scoped("have ids that nothing else passes for", () =>
      Effect.gen(function*() {
        const { keys } = yield* instance(yield* database.fresh)
        const { record } = yield* keys.createAny(wanted)
        for (const id of ["", "none", "\u0000", "' OR 1=1 --", record.id.toUpperCase() + " ", `${record.id}\n`, "x".repeat(10_000)]) {
          assert.strictEqual((yield* Effect.flip(keys.revoke(operator, id)))._tag, "ApiKeyNotFound")
          assert.strictEqual((yield* Effect.flip(keys.rotate(operator, id)))._tag, "ApiKeyNotFound")
        }
      }))

    it.scoped("tell when they were used last, written some seconds later and never earlier than it was", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const [one, two] = yield* Effect.all([instance(opened), instance(opened)])
        const { key, record } = yield* one.keys.createAny(wanted)
        const lastUse = Effect.map(two.keys.list(operator, everyKey), (records) => records.find(({ id }) => id === record.id)?.lastUsedAt)
        yield* TestClock.setTime(Date.UTC(2026, 0, 2))
        yield* one.verify(key)
        assert.isNull(yield* lastUse)
        yield* TestClock.adjust("10 seconds")
        yield* Effect.repeat(lastUse, { until: (written) => written !== null })
        assert.strictEqual(yield* lastUse, "2026-01-02T00:00:00.000Z")
      }))

    it.scoped("tell at the end what was not written yet, and a clock that was set back changes nothing", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const one = yield* instance(opened)
        const { key } = yield* one.keys.createAny(wanted)
        const usedAt = (time: number) =>
          Effect.scoped(Effect.gen(function*() {
            const other = yield* instance(opened)
            yield* TestClock.setTime(time)
            yield* other.verify(key)
          }))
        yield* usedAt(Date.UTC(2026, 5, 2))
        yield* usedAt(Date.UTC(2025, 5, 2))
        assert.deepStrictEqual((yield* one.keys.list(operator, everyKey)).map(({ lastUsedAt }) => lastUsedAt), ["2026-06-02T00:00:00.000Z"])
      }))

    it.scoped("that were revoked are forgotten after ninety days", () =>
      Effect.gen(function*() {
        const one = yield* instance(yield* database.fresh)
        const [old, live, later] = yield* Effect.all([one.keys.createAny(wanted), one.keys.createAny(wanted), one.keys.createAny(wanted)])
        yield* one.keys.revoke(operator, old.record.id)
        yield* TestClock.adjust("91 days")
        yield* one.keys.revoke(operator, later.record.id)
        const kept = (yield* one.keys.list(operator, everyKey)).map(({ id }) => id)
        assert.sameMembers(kept, [live.record.id, later.record.id])
      }))

    it.scoped("get their tables once, though several instances start at the same time", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const all = yield* Effect.all(Array.from({ length: 5 }, () => instance(opened)), { concurrency: "unbounded" })
        const { key } = yield* all[0]!.keys.createAny(wanted)
        for (const each of all) assert.isNotNull(yield* each.verify(key))
        const versions = yield* Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT version FROM closeout_migrations`),
          opened
        )
        assert.lengthOf(versions, 2)
      }))

    it.scoped("that were kept before keys had labels and an expiry are known as before, and can be rotated", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const before = yield* instance(opened)
        const { key, record } = yield* before.keys.createAny({ owner: "old", rateLimit: { limit: 3, windowSeconds: 4 } })
        yield* Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.forEach([
              "DROP INDEX closeout_keys_by_expiry",
              ...["label", "last4", "expires_at", "replaced_by", "rate_window"].map((name) =>
                `ALTER TABLE closeout_keys DROP COLUMN ${name}`
              ),
              "DELETE FROM closeout_migrations WHERE version > 1"
            ], (statement) => sql.unsafe(statement))),
          opened
        )
        const after = yield* instance(opened)
        const known = { ...record, last4: null, rateWindow: record.id }
        assert.deepStrictEqual(yield* after.verify(key), known)
        const next = yield* after.keys.rotate(operator, record.id, 60)
        assert.strictEqual((yield* after.verify(next.key))?.rateWindow, record.id)
        assert.isNotNull(yield* after.verify(key))
      }))

    it.scoped("are listed a thousand at most, the newest", () =>
      Effect.gen(function*() {
        const opened = yield* database.fresh
        const { keys } = yield* instance(opened)
        yield* Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            sql`INSERT INTO closeout_keys ${
              sql.insert(
                Array.from({ length: 1_050 }, (_, at) => ({ id: `id ${at}`, digest: `digest ${at}`, owner: "many", created_at: at }))
              )
            }`),
          opened
        )
        const listed = yield* keys.list(operator, everyKey)
        assert.deepStrictEqual([listed.length, listed[0]?.id, listed.at(-1)?.id], [1_000, "id 1049", "id 50"])
      }))
  })
}
