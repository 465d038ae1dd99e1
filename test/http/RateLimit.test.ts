import { HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer, Option, Redacted, TestClock } from "effect"
import { maxWindows } from "../../src/http/rate/LocalWindows.ts"
import { bucketOf } from "../../src/http/rate/RateLimit.ts"
import { RateLimitStore } from "../../src/http/rate/RateLimitStore.ts"
import { freshApiKey } from "../../src/keys/ApiKey.ts"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { get, post, send, sendKeyed, testHttp, testHttpWithoutKeys } from "../support/TestHttp.ts"

const forwarded = (path: string, addresses: string) => HttpClientRequest.setHeader(get(path), "x-forwarded-for", addresses)

const limited = (values: Record<string, string> = {}) => testHttp({}, { RATE_LIMIT: "3", RATE_WINDOW_SECONDS: "60", ...values })

describe("rate limit", () => {
  it.effect("lets the window's requests through, then answers 429 with when to come back", () =>
    Effect.gen(function*() {
      const remaining: Array<string | undefined> = []
      for (let count = 0; count < 3; count++) {
        const { headers, status } = yield* send(get("/config/exchange-registry"))
        assert.strictEqual(status, 200)
        remaining.push(headers["ratelimit-remaining"])
      }
      assert.deepStrictEqual(remaining, ["2", "1", "0"])
      yield* TestClock.adjust("20 seconds")
      const { code, details, headers, status } = yield* send(get("/config/exchange-registry"))
      assert.deepStrictEqual([status, code, details], [429, "rate_limited", { retryAfterSeconds: 40 }])
      assert.deepStrictEqual([
        headers["retry-after"],
        headers["ratelimit-reset"],
        headers["ratelimit-remaining"],
        headers["ratelimit-limit"]
      ], ["40", "40", "0", "3"])
    }).pipe(Effect.provide(limited())))

  it.effect("opens again when the window that began with the first request ends, refusals or not", () =>
    Effect.gen(function*() {
      for (let count = 0; count < 3; count++) yield* send(get("/config/exchange-registry"))
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual((yield* send(get("/config/exchange-registry"))).status, 429)
      yield* TestClock.adjust("1 millis")
      const { headers, status } = yield* send(get("/config/exchange-registry"))
      assert.deepStrictEqual([status, headers["ratelimit-remaining"], headers["ratelimit-reset"]], [200, "2", "60"])
    }).pipe(Effect.provide(limited())))

  it.effect("comes before everything else: unknown routes, missing keys and bad bodies count and are limited", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* send(get("/nowhere"))).status, 404)
      assert.strictEqual((yield* send(get("/othernet/account/x"))).status, 401)
      assert.strictEqual((yield* send(HttpClientRequest.del("/health"))).status, 405)
      for (
        const request of [
          get("/nowhere"),
          get("/othernet/account/x"),
          HttpClientRequest.del("/health"),
          post("/v1/testnet/close/plan", "{")
        ]
      ) {
        assert.strictEqual((yield* send(request)).status, 429)
      }
    }).pipe(Effect.provide(limited())))

  it.effect("counts a live key for itself and every other bearer against the address", () =>
    Effect.gen(function*() {
      for (let count = 0; count < 3; count++) {
        assert.strictEqual((yield* send(HttpClientRequest.bearerToken(get("/config/exchange-registry"), freshApiKey()))).status, 200)
      }
      assert.strictEqual((yield* send(HttpClientRequest.bearerToken(get("/config/exchange-registry"), freshApiKey()))).status, 429)
      assert.strictEqual((yield* send(get("/config/exchange-registry"))).status, 429)
      assert.strictEqual((yield* sendKeyed(get("/config/exchange-registry"))).headers["ratelimit-remaining"], "2")
    }).pipe(Effect.provide(limited())))

  it.effect("does not look at X-Forwarded-For without trusted proxies", () =>
    Effect.gen(function*() {
      for (let count = 0; count < 3; count++) yield* send(forwarded("/config/exchange-registry", `203.0.113.${count}`))
      assert.strictEqual((yield* send(forwarded("/config/exchange-registry", "203.0.113.9"))).status, 429)
    }).pipe(Effect.provide(limited())))

  it.effect("takes the entry that the outermost trusted proxy appended", () =>
    Effect.gen(function*() {
      for (let count = 0; count < 3; count++) {
        assert.strictEqual((yield* send(forwarded("/config/exchange-registry", `198.51.100.${count}, 203.0.113.1, 10.0.0.1`))).status, 200)
      }
      assert.strictEqual((yield* send(forwarded("/config/exchange-registry", "198.51.100.77, 203.0.113.1, 10.0.0.2"))).status, 429)
      assert.strictEqual((yield* send(forwarded("/config/exchange-registry", "198.51.100.77, 203.0.113.2, 10.0.0.2"))).status, 200)
      assert.strictEqual((yield* send(get("/config/exchange-registry"))).headers["ratelimit-remaining"], "2")
      assert.strictEqual((yield* send(forwarded("/config/exchange-registry", "no address, 10.0.0.2"))).headers["ratelimit-remaining"], "1")
    }).pipe(Effect.provide(limited({ TRUSTED_PROXY_HOPS: "2" }))))

  it.effect("takes an IPv6 network of 64 bits and a mapped IPv4 address for one client each", () =>
    Effect.gen(function*() {
      const left = (address: string) =>
        Effect.map(send(forwarded("/config/exchange-registry", address)), ({ headers }) => headers["ratelimit-remaining"])
      assert.strictEqual(yield* left("2001:db8:0:1::1"), "2")
      assert.strictEqual(yield* left("[2001:DB8::1:ffff:0:0:1]:443"), "1")
      assert.strictEqual(yield* left("2001:db8:0:2::1"), "2")
      assert.strictEqual(yield* left("::ffff:203.0.113.1"), "2")
      assert.strictEqual(yield* left("203.0.113.1:8443"), "1")
    }).pipe(Effect.provide(limited({ TRUSTED_PROXY_HOPS: "1" }))))

  it.effect("gives a key its own rate", () =>
    Effect.sync(() => {
      const general = { limit: 120, windowSeconds: 60 }
      const own = { limit: 5, windowSeconds: 10 }
      const plain = { id: "k", owner: "o", label: null, last4: null, createdAt: "", expiresAt: null, revokedAt: null, lastUsedAt: null }
      const record = { ...plain, rotatedFrom: "first", rateWindow: "first", rateLimit: own }
      assert.deepStrictEqual(bucketOf(Option.some(record), "203.0.113.1", general), { bucket: { kind: "key", id: "first" }, setting: own })
      assert.deepStrictEqual(bucketOf(Option.none(), "203.0.113.1", general), {
        bucket: { kind: "address", id: "203.0.113.1" },
        setting: general
      })
    }))

  for (
    const values of [{ RATE_LIMIT: "0" }, { RATE_LIMIT: "x" }, { RATE_WINDOW_SECONDS: "0" }, { RATE_WINDOW_SECONDS: "90000" }, {
      TRUSTED_PROXY_HOPS: "-1"
    }, { CORS_ORIGINS: "example.com" }]
  ) {
    it.effect(`does not start with ${JSON.stringify(values)}`, () =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(Effect.scoped(Layer.build(testHttp({}, values))))
        assert.property(failure, "_op")
      }))
  }
})

describe("RateLimitStore", () => {
  const setting = { limit: 2, windowSeconds: 60 }

  it.effect("holds a bounded number of windows, and drops expired and oldest ones first", () =>
    Effect.gen(function*() {
      const store = yield* RateLimitStore
      const count = (id: string) => store.count({ kind: "address", id }, setting)
      for (let index = 0; index < maxWindows + 10; index++) yield* count(`address ${index}`)
      assert.isAtMost(yield* store.size, maxWindows)
      assert.isAbove(yield* store.size, maxWindows * 0.9)
      assert.strictEqual((yield* count(`address ${maxWindows + 9}`)).remaining, 0)
      assert.strictEqual((yield* count("address 0")).remaining, 1)
      yield* TestClock.adjust("61 seconds")
      for (let index = 0; index < maxWindows * 0.1; index++) yield* count(`later ${index}`)
      assert.isAtMost(yield* store.size, maxWindows * 0.1)
    }).pipe(Effect.provide(RateLimitStore.layerMemory)))

  it.effect("never lets addresses crowd out a key", () =>
    Effect.gen(function*() {
      const store = yield* RateLimitStore
      const key = { kind: "key", id: Keypair.random().publicKey() } as const
      yield* store.count(key, setting)
      for (let index = 0; index < maxWindows * 2; index++) yield* store.count({ kind: "address", id: String(index) }, setting)
      assert.strictEqual((yield* store.count(key, setting)).remaining, 0)
    }).pipe(Effect.provide(RateLimitStore.layerMemory)))

  it.effect("keeps a key and an address of the same name apart", () =>
    Effect.gen(function*() {
      const store = yield* RateLimitStore
      yield* store.count({ kind: "key", id: "same" }, setting)
      assert.strictEqual((yield* store.count({ kind: "address", id: "same" }, setting)).remaining, 1)
    }).pipe(Effect.provide(RateLimitStore.layerMemory)))
})

describe("a key store that does not answer", () => {
  it.effect("is 503 and never 429, counted apart from requests without a key", () =>
    Effect.gen(function*() {
      const keyed = HttpClientRequest.bearerToken(get("/othernet/account/x"), freshApiKey())
      const { code, headers, status } = yield* send(keyed)
      assert.deepStrictEqual([status, code], [503, "key_store_unavailable"])
      assert.match(headers["retry-after"] ?? "", /^\d+$/)
      assert.strictEqual(headers["ratelimit-limit"], "20")
      const many = yield* Effect.replicateEffect(send(keyed), 30)
      assert.deepStrictEqual(new Set(many.map((answer) => answer.code)), new Set(["key_store_unavailable"]))
      const keyless = yield* Effect.replicateEffect(send(get("/testnet/paths")), 3)
      assert.deepStrictEqual(keyless.map((answer) => answer.code), ["unauthorized", "unauthorized", "rate_limited"])
      // A public route serves such a caller up to that rate.
      assert.strictEqual((yield* send(HttpClientRequest.bearerToken(get("/"), freshApiKey()))).code, "key_store_unavailable")
    }).pipe(Effect.provide(testHttpWithoutKeys())))
})

describe("generated key", () => {
  it.effect("is taken", () =>
    Effect.gen(function*() {
      const key = Redacted.value(yield* GeneratedKey)
      const { code } = yield* send(HttpClientRequest.bearerToken(get("/testnet/paths"), key))
      assert.strictEqual(code, "missing_parameters")
    }).pipe(Effect.provide(testHttp())))
})
