import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Context, Duration, Effect, Layer } from "effect"
import { freshApiKey } from "../../src/keys/ApiKey.ts"
import * as KeyDatabase from "../../src/keys/database/KeyDatabase.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { severable } from "../support/Severable.ts"
import { type ErrorBody, startTestService } from "../support/TestService.ts"
import { databases, databaseUrl } from "./support/Databases.ts"
import { bearer, challengeFor, sessionFor, signedBy } from "./support/Proving.ts"

/** A sandbox served like a real network: its keys must be kept. */
const asReal = Layer.map(
  Serving.layerWith({ closeEvery: null, protocols: false, accounts: false }),
  (context) => Context.make(Serving, { ...Context.get(context, Serving), sandboxOnly: false })
)

const postgres = databases[1]!

describe.skipIf(!postgres.isThere)(`a service that starts while ${postgres.name} is away`, () => {
  it.scopedLive("waits five seconds, serves static keys, and serves the others as soon as the store is reached", () => {
    const { layer, lines } = serviceLog()
    return Effect.gen(function*() {
      const { cut, mend, url } = yield* severable(yield* databaseUrl)
      yield* cut
      const fixed = freshApiKey()
      const settings = { KEY_STORE_URL: url, API_KEYS: `shop=${fixed}`, ADMIN_TOKEN: "the-operators-token" }
      const [took, service] = yield* Effect.timed(startTestService(settings, asReal, layer))
      assert.isAtLeast(Duration.toMillis(took), 4_900)
      assert.lengthOf(lines.filter(({ text }) => text.includes("only static keys are accepted")), 1)
      const { call } = service
      const asked = (key: string) => Effect.map(call("GET", "/testnet/paths", undefined, bearer(key)), ({ status }) => status)
      assert.deepStrictEqual([yield* asked(fixed), yield* asked(freshApiKey())], [400, 503])
      const somebody = Keypair.random()
      const refused = yield* call<ErrorBody>("POST", "/keys/challenge", { network: "testnet", address: somebody.publicKey() })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [503, "key_store_unavailable"])
      assert.strictEqual((yield* call("GET", "/keys/mine", undefined, bearer("ks_x.y"))).status, 503)
      assert.strictEqual((yield* call("GET", "/health/ready")).status, 200)

      yield* mend
      const create = call<{ readonly key: string }>("POST", "/admin/api-keys", { owner: "a" }, bearer("the-operators-token"))
      const made = yield* Effect.repeat(Effect.delay(create, "100 millis"), { until: ({ status }) => status === 201, times: 300 })
      assert.deepStrictEqual([yield* asked(made.body.key), yield* asked(freshApiKey())], [400, 401])
      const signed = signedBy(yield* challengeFor(service, somebody.publicKey()), somebody)
      assert.strictEqual((yield* sessionFor(service, signed)).status, 200)
    })
  }, 60_000)

  it.scopedLive("does not start without a static key, nor with tables of a newer version", () =>
    Effect.gen(function*() {
      const target = yield* databaseUrl
      const { cut, mend, url } = yield* severable(target)
      yield* cut
      const start = (settings: Readonly<Record<string, string>>) =>
        Effect.flip(Effect.scoped(startTestService({ KEY_STORE_URL: url, ...settings }, asReal)))
      assert.include(String(yield* start({})), "cannot be used")
      yield* mend
      const sql = Context.get(yield* Layer.build(Layer.fresh(KeyDatabase.layerPostgres(new URL(target)))), SqlClient.SqlClient)
      yield* sql`INSERT INTO closeout_migrations (version, applied_at) VALUES (1000, 0)`
      assert.include(String(yield* start({ API_KEYS: `shop=${freshApiKey()}` })), "a newer version of this service")
    }), 60_000)
})
