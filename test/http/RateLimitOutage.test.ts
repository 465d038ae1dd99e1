import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startTestService } from "../support/TestService.ts"

describe("a service whose rate limit store is not there", () => {
  it.scoped("starts, limits by itself, and says so", () =>
    Effect.gen(function*() {
      const { call } = yield* startTestService({ RATE_LIMIT_STORE_URL: "redis://127.0.0.1:1/0", RATE_LIMIT: "3" })
      const health = yield* call<{ readonly error: Readonly<Record<string, unknown>> }>("GET", "/health/deep", undefined, {
        authorization: ""
      })
      assert.deepStrictEqual([health.status, health.body.error], [503, {
        rate_limit_store: { status: "down", message: "does not answer" }
      }])
      const keyed = yield* Effect.replicateEffect(call("GET", "/testnet/paths"), 5)
      assert.deepStrictEqual(keyed.map(({ status }) => status), [400, 400, 400, 429, 429])
      assert.deepStrictEqual(keyed.map(({ headers }) => headers.get("ratelimit-remaining")), ["2", "1", "0", "0", "0"])
    }))

  it.scoped("does not start with a setting that is none, and repeats no password", () =>
    Effect.gen(function*() {
      for (const wrong of ["http://:hunter2@127.0.0.1", "127.0.0.1:6379", "redis:hunter2"]) {
        const failure = String(yield* Effect.flip(startTestService({ RATE_LIMIT_STORE_URL: wrong })))
        assert.include(failure, "RATE_LIMIT_STORE_URL")
        assert.notInclude(failure, "hunter2")
      }
    }))
})
