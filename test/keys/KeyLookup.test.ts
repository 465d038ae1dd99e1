import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import type { LiveKey } from "../../src/domain/ApiKeyRecord.ts"
import { keyLookup } from "../../src/keys/KeyLookup.ts"

const record: LiveKey = {
  id: "a key",
  owner: "its owner",
  label: null,
  last4: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  expiresAt: null,
  revokedAt: null,
  rotatedFrom: null,
  lastUsedAt: null,
  rateLimit: null,
  rateWindow: "a key"
}

describe("a key that is looked up", () => {
  it.scoped("and revoked while the answer is under way is not remembered as live", () =>
    Effect.gen(function*() {
      const under = yield* Deferred.make<void>()
      const answered = yield* Deferred.make<void>()
      let rows: Map<string, LiveKey> = new Map([["digest", record]])
      let queries = 0
      const lookup = yield* keyLookup({
        live: () =>
          Effect.gen(function*() {
            const seen = rows
            if (queries++ === 0) {
              yield* Deferred.succeed(under, undefined)
              yield* Deferred.await(answered)
            }
            return seen
          })
      })
      const first = yield* Effect.fork(lookup.find("digest"))
      yield* Deferred.await(under)
      rows = new Map()
      lookup.revoked(record.id)
      yield* Deferred.succeed(answered, undefined)
      assert.isTrue(Option.isSome(yield* Fiber.join(first)))
      assert.isTrue(Option.isNone(yield* lookup.find("digest")))
      assert.strictEqual(queries, 2)
    }))
})
