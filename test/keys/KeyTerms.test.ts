import { assert, describe, it as bare } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, TestClock } from "effect"
import { randomBytes } from "node:crypto"
import type { ApiKeyRecord } from "../../src/domain/ApiKeyRecord.ts"
import { freshApiKey } from "../../src/keys/ApiKey.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { loopback, orSkipped } from "../support/Loopback.ts"
import { type ErrorBody, startTestService, type TestService, unwatched } from "../support/TestService.ts"
import { bearer, openedBy } from "./support/Proving.ts"

interface Issued {
  readonly key: string
  readonly record: ApiKeyRecord
}

interface Keys {
  readonly keys: ReadonlyArray<ApiKeyRecord>
}

const token = randomBytes(24).toString("hex")
const admin = bearer(token)

const used = ({ call }: TestService, key: string) =>
  Effect.map(call<ErrorBody>("GET", "/testnet/paths", undefined, bearer(key)), ({ status }) => status)

/** A session of an account that holds nothing. */
const session = (service: TestService) =>
  Effect.gen(function*() {
    const somebody = Keypair.random()
    return bearer((yield* openedBy(service, somebody.publicKey(), somebody)).token)
  })

const stores = [
  { name: "in memory", isThere: true, settings: {} },
  { name: orSkipped("in Redis", "redis"), isThere: loopback.redis !== null, settings: { RATE_LIMIT_STORE_URL: loopback.redis ?? "" } }
] as const

for (const { isThere, name, settings } of stores) {
  bare.scoped.skipIf(!isThere)(
    `a key that is rotated keeps its window of the rate limit, however often, with windows ${name}`,
    () =>
      Effect.gen(function*() {
        const service = yield* startTestService({ ADMIN_TOKEN: token, ...settings })
        const { call } = service
        const rateLimit = { limit: 10, windowSeconds: 600 }
        let { key, record } = (yield* call<Issued>("POST", "/admin/api-keys", { owner: "rotating", rateLimit }, admin)).body
        const statuses: Array<number> = []
        for (let turn = 0; turn < 4; turn++) {
          statuses.push(...(yield* Effect.replicateEffect(used(service, key), 4)))
          ;({ key, record } = (yield* call<Issued>("POST", `/admin/api-keys/${record.id}/rotate`, undefined, admin)).body)
        }
        assert.deepStrictEqual(statuses, [...Array.from({ length: 10 }, () => 400), ...Array.from({ length: 6 }, () => 429)])
      })
  )
}

describe("the terms of a key", () => {
  layer(Service.layer({ ADMIN_TOKEN: token }, unwatched))("over the sandbox", (it) => {
    it.effect("are a label and an expiry, shown with the key's last four characters; an expired key opens nothing and has no successor", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const mine = yield* session(service)
        const expiresAt = "1970-01-01T00:10:00.000Z"
        const { body, status } = yield* service.call<Issued>("POST", "/keys/mine", { label: "Shop, côté serveur", expiresAt }, mine)
        assert.deepStrictEqual([status, body.record.label, body.record.expiresAt, body.record.last4], [
          201,
          "Shop, côté serveur",
          expiresAt,
          body.key.slice(-4)
        ])
        assert.strictEqual(yield* used(service, body.key), 400)
        yield* TestClock.setTime(599_999)
        assert.strictEqual(yield* used(service, body.key), 400)
        // The cached answer of the store does not outlive the key.
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* used(service, body.key), 401)
        const rotated = yield* service.call<ErrorBody>("POST", `/keys/mine/${body.record.id}/rotate`, undefined, mine)
        assert.deepStrictEqual([rotated.status, rotated.body.error.code], [404, "api_key_not_found"])
      }))

    it.effect("expired keys leave room for new ones", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const mine = yield* session(service)
        const expiresAt = new Date((yield* TestClock.currentTimeMillis) + 60_000).toISOString()
        const create = service.call<Issued>("POST", "/keys/mine", { expiresAt }, mine)
        const statuses = Effect.map(Effect.replicateEffect(create, 6), (answers) => answers.map(({ status }) => status))
        assert.deepStrictEqual(yield* statuses, [201, 201, 201, 201, 201, 409])
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* service.call("POST", "/keys/mine", {}, mine)).status, 201)
      }))

    it.effect("let the old key live for graceSeconds after a rotation, beside one successor with the same terms", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { call } = service
        const expiresAt = new Date((yield* TestClock.currentTimeMillis) + 86_400_000).toISOString()
        const wanted = { owner: "graceful", label: "server", expiresAt, rateLimit: { limit: 5, windowSeconds: 86_400 } }
        const first = (yield* call<Issued>("POST", "/admin/api-keys", wanted, admin)).body
        assert.strictEqual(yield* used(service, first.key), 400)
        const rotate = call<Issued & ErrorBody>("POST", `/admin/api-keys/${first.record.id}/rotate`, { graceSeconds: 60 }, admin)
        const second = (yield* rotate).body
        assert.deepInclude(second.record, { label: "server", expiresAt, rotatedFrom: first.record.id, rateLimit: wanted.rateLimit })
        const again = yield* rotate
        assert.deepStrictEqual([again.status, again.body.error.code], [404, "api_key_not_found"])
        yield* TestClock.adjust("59 seconds")
        // Five requests of the window in all, with either of the two keys.
        const together = [first.key, second.key, first.key, second.key, first.key]
        assert.deepStrictEqual(yield* Effect.forEach(together, (key) => used(service, key)), [400, 400, 400, 400, 429])
        yield* TestClock.adjust("1 seconds")
        assert.deepStrictEqual([yield* used(service, first.key), yield* used(service, second.key)], [401, 429])
        const { keys } = (yield* call<Keys>("GET", "/admin/api-keys?owner=graceful", undefined, admin)).body
        const old = keys.find(({ id }) => id === first.record.id)
        assert.isNull(old?.revokedAt)
        assert.isBelow(Date.parse(old?.expiresAt ?? ""), Date.parse(expiresAt))
      }))

    it.effect("graceSeconds never make a key live longer than it would have", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const mine = yield* session(service)
        const expiresAt = new Date((yield* TestClock.currentTimeMillis) + 30_000).toISOString()
        const first = (yield* service.call<Issued>("POST", "/keys/mine", { expiresAt }, mine)).body
        yield* service.call("POST", `/keys/mine/${first.record.id}/rotate`, { graceSeconds: 86_400 }, mine)
        yield* TestClock.adjust("29 seconds")
        assert.strictEqual(yield* used(service, first.key), 400)
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual(yield* used(service, first.key), 401)
      }))

    it.effect("are refused where they are out of range, each with its field", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const mine = yield* session(service)
        const refused = (path: string, body: unknown) =>
          Effect.map(service.call<ErrorBody>("POST", path, body, mine), (answer) => {
            const issues = answer.body.error?.details?.["issues"] as ReadonlyArray<{ readonly path: string }> | undefined
            return [answer.status, answer.body.error?.code, issues?.[0]?.path]
          })
        const labels = [
          "",
          " ",
          "two\nlines",
          "turned \u202e round",
          "zero\u200bwidth",
          "x".repeat(65),
          " blank",
          `key ${freshApiKey()}`,
          1
        ]
        for (const label of labels) assert.deepStrictEqual(yield* refused("/keys/mine", { label }), [400, "invalid_body", "label"])
        const times = ["1969-12-31T23:59:59Z", "tomorrow", "2026-13-01T00:00:00Z", "2999-01-01", "2999-01-01T00:00:00", 32_000_000_000]
        for (const expiresAt of times) {
          assert.deepStrictEqual(yield* refused("/keys/mine", { expiresAt }), [400, "invalid_body", "expiresAt"])
        }
        for (const graceSeconds of [-1, 0.5, 86_401, "60", null]) {
          const answer = yield* refused(`/keys/mine/${randomBytes(16).toString("hex")}/rotate`, { graceSeconds })
          assert.deepStrictEqual(answer, [400, "invalid_body", "graceSeconds"])
        }
        assert.strictEqual((yield* refused("/keys/mine", { lable: "x" }))[1], "invalid_body")
        assert.deepStrictEqual((yield* service.call<Keys>("GET", "/keys/mine", undefined, mine)).body, { keys: [] })
      }))

    it.effect("and a list that tells a use at once, and finds keys that were not used for so many days", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { call } = service
        const make = (label: string) =>
          Effect.map(call<Issued>("POST", "/admin/api-keys", { owner: "listed", label }, admin), ({ body }) => body)
        const [busy, idle, ended] = yield* Effect.all([make("busy"), make("idle"), make("ended")])
        yield* call("POST", `/admin/api-keys/${ended.record.id}/revoke`, undefined, admin)
        yield* TestClock.adjust("89 days")
        yield* used(service, busy.key)
        const now = new Date(yield* TestClock.currentTimeMillis).toISOString()
        const listed = (query: string) =>
          Effect.map(call<Keys>("GET", `/admin/api-keys?owner=listed${query}`, undefined, admin), ({ body }) => body.keys)
        assert.strictEqual((yield* listed("")).find(({ id }) => id === busy.record.id)?.lastUsedAt, now)
        assert.deepStrictEqual(yield* listed("&unusedDays=90"), [])
        yield* TestClock.adjust("1 days")
        assert.deepStrictEqual((yield* listed("&unusedDays=90")).map(({ label }) => label), ["idle"])
        assert.strictEqual(idle.record.lastUsedAt, null)
        for (const wrong of ["0", "1.5", "x", "3651"]) {
          assert.strictEqual((yield* call("GET", `/admin/api-keys?unusedDays=${wrong}`, undefined, admin)).status, 400)
        }
      }))
  })

  bare.scoped("an IPv6 site of 48 bits makes thirty keys a day, however many networks of 64 bits it has", () =>
    Effect.gen(function*() {
      const service = yield* startTestService({ TRUSTED_PROXY_HOPS: "1" })
      const made = (network: number, site = "2001:db8:7") =>
        Effect.gen(function*() {
          const headers = { "x-forwarded-for": `${site}:${network.toString(16)}::1` }
          const mine = { ...(yield* session(service)), ...headers }
          return (yield* Effect.replicateEffect(service.call("POST", "/keys/mine", undefined, mine), 5)).map(({ status }) => status)
        })
      const statuses = (yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (network) => made(network))).flat()
      assert.deepStrictEqual(statuses, [...Array.from({ length: 30 }, () => 201), ...Array.from({ length: 10 }, () => 429)])
      assert.strictEqual((yield* made(1, "2001:db8:8"))[0], 201)
    }))
})
