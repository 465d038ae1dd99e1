import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, TestClock } from "effect"
import { randomBytes } from "node:crypto"
import type { ApiKeyRecord } from "../../src/domain/ApiKeyRecord.ts"
import { loopback, orSkipped } from "../support/Loopback.ts"
import { startTestService } from "../support/TestService.ts"
import { databaseUrl } from "./support/Databases.ts"
import { bearer, challengeFor, openedBy, sessionFor, signedBy } from "./support/Proving.ts"

interface Issued {
  readonly key: string
  readonly record: ApiKeyRecord
}

const areThere = loopback.postgres !== null && loopback.redis !== null

const adminToken = randomBytes(24).toString("hex")

/** Three instances that share a key store and a store of rate limits. */
const three = Effect.gen(function*() {
  const settings = {
    ADMIN_TOKEN: adminToken,
    KEY_STORE_URL: yield* databaseUrl,
    RATE_LIMIT_STORE_URL: loopback.redis ?? "",
    PUBLIC_URL: "https://close.example.org"
  }
  const start = startTestService(settings)
  return yield* Effect.all([start, start, start], { concurrency: "unbounded" })
})

describe.skipIf(!areThere)(orSkipped(orSkipped("three instances", "postgres"), "redis"), () => {
  it.scoped("take each other's keys, count together, and hear of each other's revocations", () =>
    Effect.gen(function*() {
      const [one, two, last] = yield* three
      const { key, record } = (yield* one.call<Issued>(
        "POST",
        "/admin/api-keys",
        { owner: "acme", rateLimit: { limit: 7, windowSeconds: 600 } },
        bearer(adminToken)
      )).body
      const used = [one, two, last, one, two, last, one, two, last].map(({ call }) => call("GET", "/testnet/paths", undefined, bearer(key)))
      const answers = yield* Effect.all(used)
      assert.deepStrictEqual(answers.map(({ status }) => status), [400, 400, 400, 400, 400, 400, 400, 429, 429])
      assert.deepStrictEqual(answers.map(({ headers }) => headers.get("ratelimit-remaining")), [
        "6",
        "5",
        "4",
        "3",
        "2",
        "1",
        "0",
        "0",
        "0"
      ])
      yield* two.call("POST", `/admin/api-keys/${record.id}/revoke`, undefined, bearer(adminToken))
      yield* TestClock.adjust("3 seconds")
      for (const { call } of [one, two, last]) {
        assert.strictEqual((yield* call("GET", "/testnet/paths", undefined, bearer(key))).status, 401)
      }
    }))

  it.scoped("finish what another one began: a challenge, a session, a key, each challenge once", () =>
    Effect.gen(function*() {
      const [one, two, last] = yield* three
      const somebody = Keypair.random()
      const signed = signedBy(yield* challengeFor(one, somebody.publicKey()), somebody)
      const asked = yield* Effect.all([one, two, last].map((service) => sessionFor(service, signed)), { concurrency: "unbounded" })
      assert.deepStrictEqual(asked.map(({ status }) => status).toSorted(), [200, 401, 401])
      const mine = bearer((yield* openedBy(one, somebody.publicKey(), somebody)).token)
      const made = yield* last.call<Issued>("POST", "/keys/mine", undefined, mine)
      assert.strictEqual(made.status, 201)
      assert.strictEqual((yield* two.call("GET", "/testnet/paths", undefined, bearer(made.body.key))).status, 400)
    }))
})
