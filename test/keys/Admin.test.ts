import { assert, describe, it as bare } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import type { ApiKeyRecord } from "../../src/domain/ApiKeyRecord.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { type ErrorBody, startTestService } from "../support/TestService.ts"
import { bearer } from "./support/Proving.ts"

interface Issued {
  readonly key: string
  readonly record: ApiKeyRecord
}

const token = randomBytes(24).toString("hex")
const admin = bearer(token)

describe("the operator's routes", () => {
  layer(Service.layer({ ADMIN_TOKEN: token, RATE_LIMIT: "1000" }))("with the token", (it) => {
    it.effect("make a key with a rate of its own, which counts for itself", () =>
      Effect.gen(function*() {
        const { call } = yield* Service
        const { body, status } = yield* call<Issued>("POST", "/admin/api-keys", {
          owner: "acme",
          rateLimit: { limit: 2, windowSeconds: 30 }
        }, admin)
        assert.strictEqual(status, 201)
        assert.match(body.key, /^lk_[A-Za-z0-9_-]{43}$/)
        const answers = yield* Effect.replicateEffect(call<ErrorBody>("GET", "/testnet/paths", undefined, bearer(body.key)), 3)
        assert.deepStrictEqual(
          answers.map(({ status: each }) => each),
          [400, 400, 429]
        )
        assert.deepStrictEqual(
          answers.map((
            { headers }
          ) => [headers.get("ratelimit-limit"), headers.get("ratelimit-remaining"), headers.get("ratelimit-reset")]),
          [["2", "1", "30"], ["2", "0", "30"], ["2", "0", "30"]]
        )
      }))

    it.effect("list, rotate and revoke, and show no key again", () =>
      Effect.gen(function*() {
        const { call } = yield* Service
        const made = (yield* call<Issued>("POST", "/admin/api-keys", { owner: "rotating" }, admin)).body
        const rotated = yield* call<Issued>("POST", `/admin/api-keys/${made.record.id}/rotate`, undefined, admin)
        assert.deepStrictEqual([rotated.status, rotated.body.record.rotatedFrom, rotated.body.record.owner], [
          200,
          made.record.id,
          "rotating"
        ])
        const again = yield* call<ErrorBody>("POST", `/admin/api-keys/${made.record.id}/rotate`, undefined, admin)
        assert.deepStrictEqual([again.status, again.body.error.code], [404, "api_key_not_found"])
        const revoke = call<{ readonly record: ApiKeyRecord }>("POST", `/admin/api-keys/${rotated.body.record.id}/revoke`, undefined, admin)
        const first = yield* revoke
        assert.isNotNull(first.body.record.revokedAt)
        assert.deepStrictEqual((yield* revoke).body, first.body)
        const listed = yield* call<{ readonly keys: ReadonlyArray<ApiKeyRecord> }>(
          "GET",
          "/admin/api-keys?owner=rotating",
          undefined,
          admin
        )
        assert.sameMembers(listed.body.keys.map(({ id }) => id), [made.record.id, rotated.body.record.id])
        const text = JSON.stringify(listed.body)
        for (const { key } of [made, rotated.body]) assert.notInclude(text, key.slice(3))
      }))

    it.effect("refuse what is out of range or of another shape, each with its code", () =>
      Effect.gen(function*() {
        const { call } = yield* Service
        const codeOf = (body: unknown) =>
          Effect.map(call<ErrorBody>("POST", "/admin/api-keys", body, admin), (answer) => [answer.status, answer.body.error.code])
        for (
          const rateLimit of [
            { limit: 0, windowSeconds: 60 },
            { limit: 1.5, windowSeconds: 60 },
            { limit: 1_000_001, windowSeconds: 60 },
            { limit: 1, windowSeconds: 0 },
            { limit: 1, windowSeconds: 86_401 }
          ]
        ) {
          assert.deepStrictEqual(yield* codeOf({ owner: "a", rateLimit }), [400, "invalid_rate_limit"])
        }
        for (
          const body of [
            {},
            { owner: "" },
            { owner: "x".repeat(129) },
            { owner: "with\u0000nothing" },
            { owner: "two\nlines" },
            { owner: 1 },
            { owner: "a", role: "root" },
            { owner: "a", rateLimit: { limit: 1 } }
          ]
        ) {
          assert.deepStrictEqual(yield* codeOf(body), [400, "invalid_body"])
        }
        const wrong = yield* call<ErrorBody>("GET", "/admin/api-keys?owner=%00", undefined, admin)
        assert.deepStrictEqual([wrong.status, wrong.body.error.code], [400, "bad_request"])
        assert.strictEqual((yield* call("GET", "/admin/api-keys?owner=%27%20OR%201%3D1%20--", undefined, admin)).status, 200)
      }))
  })

  bare.scoped("leave a line in the log for each change and each refused token, with ids and without secrets", () => {
    const { layer: logging, lines } = serviceLog()
    return Effect.gen(function*() {
      const { call } = yield* startTestService({ ADMIN_TOKEN: token }, undefined, logging)
      const made = (yield* call<Issued>("POST", "/admin/api-keys", { owner: "private-owner" }, admin)).body
      const next = (yield* call<Issued>("POST", `/admin/api-keys/${made.record.id}/rotate`, undefined, admin)).body
      yield* call("POST", `/admin/api-keys/${next.record.id}/revoke`, undefined, admin)
      const guess = randomBytes(24).toString("hex")
      const wrong = yield* call("GET", "/admin/api-keys", undefined, bearer(guess))
      yield* call("GET", "/admin/api-keys", undefined, { authorization: "" })
      const audit = lines.flatMap(({ fields: { audit: action, by, keyId, requestId, rotatedFrom } }) => {
        if (action === undefined) return []
        return [[action, by, keyId, rotatedFrom, action === "admin_token_refused" ? requestId : undefined]]
      })
      assert.deepStrictEqual(audit, [
        ["key_created", "operator", made.record.id, undefined, undefined],
        ["key_rotated", "operator", next.record.id, made.record.id, undefined],
        ["key_revoked", "operator", next.record.id, undefined, undefined],
        ["admin_token_refused", "stranger", undefined, undefined, wrong.headers.get("x-request-id")]
      ])
      const all = JSON.stringify(lines)
      for (const secret of [made.key, next.key, token, guess, "private-owner", "127.0.0.1"]) assert.notInclude(all, secret)
    })
  })

  bare.scoped("start with no token that could be guessed", () =>
    Effect.gen(function*() {
      for (const weak of ["short", "x".repeat(15), "with a blank in it"]) {
        const failure = yield* Effect.flip(Effect.scoped(startTestService({ ADMIN_TOKEN: weak })))
        assert.notInclude(String(failure), weak)
        assert.include(String(failure), "ADMIN_TOKEN")
      }
    }))
})
