import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Ref, TestClock } from "effect"
import type { ComponentHealth } from "../../src/domain/Health.ts"
import { get, send, testHttp, testHttpWithoutKeys } from "../support/TestHttp.ts"

const up: ComponentHealth = { status: "up" }
const down: ComponentHealth = { status: "down", message: "connection refused" }

const own = { key_store: up, rate_limit_store: up, exchange_registry: up }

describe("health", () => {
  it.effect("is ok while every component is up", () =>
    Effect.gen(function*() {
      const { json, status } = yield* send(get("/health/deep"))
      const details = { rpc_testnet: up, ledger_api_testnet: up, ...own }
      assert.strictEqual(status, 200)
      assert.deepEqual(json, { status: "ok", info: details, error: {}, details })
    }).pipe(Effect.provide(testHttp())))

  it.effect("answers 503 with the report when a component is down", () =>
    Effect.gen(function*() {
      const { headers, json, status } = yield* send(get("/health/deep"))
      assert.strictEqual(status, 503)
      assert.match(headers["retry-after"] ?? "", /^\d+$/)
      assert.deepEqual(json, {
        status: "error",
        info: { ledger_api_testnet: up, ...own },
        error: { rpc_testnet: down },
        details: { rpc_testnet: down, ledger_api_testnet: up, ...own }
      })
    }).pipe(Effect.provide(testHttp({ health: Effect.succeed({ rpc_testnet: down, ledger_api_testnet: up }) }))))

  it.effect("takes a source that is silent for three seconds for down", () =>
    Effect.gen(function*() {
      const probing = yield* Deferred.make<void>()
      yield* Effect.gen(function*() {
        const asked = yield* Effect.fork(send(get("/health/deep")))
        yield* Deferred.await(probing)
        yield* TestClock.adjust("3 seconds")
        const { json, status } = yield* Fiber.join(asked)
        assert.strictEqual(status, 503)
        assert.nestedPropertyVal(json, "error.rpc_testnet.message", "did not respond in time")
        assert.nestedPropertyVal(json, "error.ledger_api_testnet.status", "down")
      }).pipe(Effect.provide(testHttp({ health: Effect.zipRight(Deferred.succeed(probing, undefined), Effect.never) })))
    }))

  it.effect("is told even when a probe itself is at fault", () =>
    Effect.gen(function*() {
      const { json, status } = yield* send(get("/health/deep"))
      assert.strictEqual(status, 503)
      assert.nestedPropertyVal(json, "error.rpc_testnet.status", "down")
    }).pipe(Effect.provide(testHttp({ health: Effect.dieMessage("a fault in the probe") }))))

  it.effect("shows a key store that does not answer", () =>
    Effect.gen(function*() {
      const { json, status } = yield* send(get("/health/deep"))
      assert.strictEqual(status, 503)
      assert.deepEqual(JSON.parse(JSON.stringify(json)).error, {
        key_store: { status: "down", message: "cannot be read or written: only keys in API_KEYS are accepted" }
      })
    }).pipe(Effect.provide(testHttpWithoutKeys())))

  it.effect("says that the process lives, at any rate", () =>
    Effect.gen(function*() {
      const answers = yield* Effect.replicateEffect(send(get("/health")), 20)
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.isUndefined(answers[0]?.headers["ratelimit-limit"])
      assert.strictEqual((yield* Effect.replicateEffect(send(get("/health/ready")), 20)).at(-1)?.status, 503)
      assert.strictEqual((yield* Effect.replicateEffect(send(get("/health/deep")), 3)).at(-1)?.status, 429)
    }).pipe(Effect.provide(testHttpWithoutKeys())))

  it.effect("is ready while a network can serve and keys can be checked", () =>
    Effect.gen(function*() {
      const ready = (rpc: ComponentHealth, values: Readonly<Record<string, string>> = {}) =>
        Effect.provide(
          Effect.map(send(get("/health/ready")), ({ json, status }) => [status, json]),
          testHttp({ health: Effect.succeed({ rpc_testnet: rpc, ledger_api_testnet: up }) }, values)
        )
      assert.deepEqual(yield* ready(up), [200, { status: "ready" }])
      assert.deepEqual(yield* ready(down), [503, { status: "not_ready", reason: "No network can serve." }])
      const withoutKeys = yield* Effect.provide(send(get("/health/ready")), testHttpWithoutKeys())
      assert.deepEqual([withoutKeys.status, withoutKeys.json], [503, {
        status: "not_ready",
        reason: "The key store does not respond, and API_KEYS is empty."
      }])
    }))

  it.effect("is probed once for everybody who asks within two seconds", () =>
    Effect.gen(function*() {
      const probes = yield* Ref.make(0)
      yield* Effect.gen(function*() {
        yield* Effect.all([send(get("/health/deep")), send(get("/health/deep")), send(get("/health/deep"))], { concurrency: "unbounded" })
        yield* TestClock.adjust("1999 millis")
        yield* send(get("/health/deep"))
        assert.strictEqual(yield* Ref.get(probes), 1)
        yield* TestClock.adjust("2 millis")
        yield* send(get("/health/deep"))
        assert.strictEqual(yield* Ref.get(probes), 2)
      }).pipe(Effect.provide(testHttp({ health: Effect.as(Ref.update(probes, (count) => count + 1), { rpc_testnet: up }) })))
    }))

  it.effect("speaks of a registry that nears its end or has expired, and fails no probe for it", () =>
    Effect.gen(function*() {
      const at = (time: number) =>
        Effect.gen(function*() {
          yield* TestClock.setTime(time)
          const { json, status } = yield* send(get("/health/deep"))
          assert.strictEqual(status, 200)
          return JSON.parse(JSON.stringify(json)).details.exchange_registry
        })
      assert.deepStrictEqual(yield* at(Date.UTC(1970, 0, 20)), up)
      assert.deepStrictEqual(yield* at(Date.UTC(1970, 1, 20)), { status: "up", message: "expires on 1970-03-01" })
      assert.deepStrictEqual(yield* at(Date.UTC(1970, 2, 2)), { status: "up", message: "expired on 1970-03-01" })
    }).pipe(Effect.provide(testHttp())))
})
