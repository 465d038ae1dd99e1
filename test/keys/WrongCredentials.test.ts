import { OpenApi } from "@effect/platform"
import { assert, describe, it as bare } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, TestClock } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { Api } from "../../src/api/Api.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import type { ApiKeyRecord } from "../../src/domain/ApiKeyRecord.ts"
import { freshApiKey } from "../../src/keys/ApiKey.ts"
import { sessionToken } from "../../src/keys/SessionToken.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { bearer, challengeFor, openedBy, sessionFor, signedBy } from "./support/Proving.ts"

interface Keys {
  readonly keys: ReadonlyArray<ApiKeyRecord>
}

interface Issued {
  readonly key: string
  readonly record: ApiKeyRecord
}

const adminToken = randomBytes(24).toString("hex")
const admin = bearer(adminToken)
const secret = Keypair.random()

/** Every route that a token opens; `{id}` is a key of the rightful owner. Bodies are valid and invalid. */
const adminRoutes: ReadonlyArray<readonly [method: string, path: string, body?: unknown]> = [
  ["POST", "/admin/api-keys", { owner: "attacker" }],
  ["POST", "/admin/api-keys", "no object"],
  ["GET", "/admin/api-keys"],
  ["GET", "/admin/api-keys?owner=somebody"],
  ["POST", "/admin/api-keys/{id}/revoke"],
  ["POST", "/admin/api-keys/{id}/rotate"]
]
const personalRoutes: typeof adminRoutes = [
  ["GET", "/keys/mine"],
  ["POST", "/keys/mine"],
  ["POST", "/keys/mine/{id}/revoke"],
  ["POST", "/keys/mine/{id}/rotate"]
]

/** A token made with a key other than the service's, and one of the service's with changed content. */
const forgeries = (token: string, address: string): Readonly<Record<string, string>> => {
  const session = { network: "testnet", address: AccountAddress.make(address), issuedAt: 1, expiresAt: 1_800_001 } as const
  const [body = "", mac = ""] = token.slice(3).split(".")
  const other = Buffer.from(JSON.stringify(session)).toString("base64url")
  const guessed = createHmac("sha256", "").update(`ks_${other}`).digest("base64url")
  return {
    byAnotherKey: sessionToken(randomBytes(32), session),
    byAnEmptyKey: `ks_${other}.${guessed}`,
    withAnotherBody: `ks_${other}.${mac}`,
    withoutAMac: `ks_${body}.`,
    withAShortMac: `ks_${body}.${mac.slice(0, 20)}`,
    withoutItsPrefix: `${body}.${mac}`,
    twice: `${token}${token}`,
    fromTheFuture: sessionToken(
      createHmac("sha256", secret.secret()).update("closeout session tokens, 1").digest(),
      { ...session, issuedAt: 86_400_000, expiresAt: 86_400_000 + 1_800_000 }
    )
  }
}

describe("wrong credentials", () => {
  bare("are tried on every route that a token of the operator or a session opens", () => {
    const tried = [...adminRoutes, ...personalRoutes].map(([method, path]) => `${method} ${path.replace(/\?.*/, "")}`)
    const declared = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
    )
    assert.sameMembers([...new Set(tried)], declared.filter((route) => /^[A-Z]+ \/(admin|keys\/mine)/.test(route)))
  })

  layer(Service.layer({ ADMIN_TOKEN: adminToken, SEP10_SECRET: secret.secret() }))("of any kind", (it) => {
    it.effect("open no route of the operator or of a person, and change nothing", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { call } = service
        const [owner, stranger] = [Keypair.random(), Keypair.random()]
        const session = (yield* openedBy(service, owner.publicKey(), owner)).token
        const others = (yield* openedBy(service, stranger.publicKey(), stranger)).token
        const victim = (yield* call<Issued>("POST", "/keys/mine", undefined, bearer(session))).body
        const operators = (yield* call<Issued>("POST", "/admin/api-keys", { owner: "somebody" }, admin)).body
        const challenge = signedBy(yield* challengeFor(service, owner.publicKey()), owner)
        const before = (yield* call<Keys>("GET", "/admin/api-keys", undefined, admin)).body

        const forged = forgeries(session, owner.publicKey())
        const wrong: Readonly<Record<string, string>> = {
          none: "",
          anotherScheme: `Basic ${adminToken}`,
          anApiKey: `Bearer ${operators.key}`,
          theServicesKey: `Bearer ${service.key}`,
          anInventedKey: `Bearer ${freshApiKey()}`,
          anEmptyToken: "Bearer ",
          thePublicKey: `Bearer ${owner.publicKey()}`,
          aChallenge: `Bearer ${challenge}`,
          partOfTheToken: `Bearer ${adminToken.slice(0, -1)}`,
          moreThanTheToken: `Bearer ${adminToken}0`,
          ...Object.fromEntries(Object.entries(forged).map(([name, token]) => [name, `Bearer ${token}`]))
        }
        const onAdmin = { ...wrong, aSession: `Bearer ${session}` }
        const onPersonal = { ...wrong, theOperators: `Bearer ${adminToken}` }
        for (const [routes, credentials] of [[adminRoutes, onAdmin], [personalRoutes, onPersonal]] as const) {
          for (const [method, path, body] of routes) {
            for (const [name, authorization] of Object.entries(credentials)) {
              const place = path.replace("{id}", victim.record.id)
              const answer = yield* call<ErrorBody>(method, place, body, { authorization })
              assert.deepStrictEqual([method, path, name, answer.status, answer.body.error?.code], [
                method,
                path,
                name,
                401,
                "unauthorized"
              ])
            }
          }
        }
        // Another account's session is valid, but neither sees nor reaches the owner's keys.
        const theirs = bearer(others)
        assert.deepStrictEqual((yield* call<Keys>("GET", "/keys/mine", undefined, theirs)).body, { keys: [] })
        for (const id of [victim.record.id, operators.record.id, "generated", "../mine", "%00", "'"]) {
          for (const what of ["revoke", "rotate"]) {
            const answer = yield* call<ErrorBody>("POST", `/keys/mine/${encodeURIComponent(id)}/${what}`, undefined, theirs)
            assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "api_key_not_found"])
          }
        }
        const after = (yield* call<Keys>("GET", "/admin/api-keys", undefined, admin)).body
        const plain = ({ keys }: Keys) => keys.map((record) => ({ ...record, lastUsedAt: null }))
        assert.deepStrictEqual(plain(after), plain(before))
        assert.strictEqual((yield* call("GET", "/testnet/paths", undefined, bearer(victim.key))).status, 400)
        // The same requests with valid credentials work, so the routes are the right ones.
        for (const [method, path] of personalRoutes) {
          const { status } = yield* call(method, path.replace("{id}", victim.record.id), undefined, bearer(session))
          assert.include([200, 201, 404], status)
        }
      }))

    it.effect("of a session that is over open nothing, on every route", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const somebody = Keypair.random()
        const session = (yield* openedBy(service, somebody.publicKey(), somebody)).token
        const { record } = (yield* service.call<Issued>("POST", "/keys/mine", undefined, bearer(session))).body
        yield* TestClock.adjust("30 minutes")
        for (const [method, path] of personalRoutes) {
          const { status } = yield* service.call(method, path.replace("{id}", record.id), undefined, bearer(session))
          assert.strictEqual(status, 401)
        }
      }))

    it.effect("are told before anything of a body is looked at", () =>
      Effect.gen(function*() {
        const { call } = yield* Service
        const answer = yield* call<ErrorBody>("POST", "/admin/api-keys", { owner: 1, rateLimit: { limit: -1 } }, { authorization: "" })
        assert.strictEqual(answer.status, 401)
      }))

    it.effect("a challenge that was used opens no second session", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const somebody = Keypair.random()
        const signed = signedBy(yield* challengeFor(service, somebody.publicKey()), somebody)
        assert.strictEqual((yield* sessionFor(service, signed)).status, 200)
        assert.strictEqual((yield* sessionFor(service, signed)).status, 401)
      }))
  })

  layer(Service.layer())("without a token of the operator", (it) => {
    it.effect("every route of the operator is off, whatever is sent", () =>
      Effect.gen(function*() {
        const { call, key } = yield* Service
        for (const authorization of ["", "Bearer ", "Bearer undefined", `Bearer ${key}`]) {
          for (const [method, path, body] of adminRoutes) {
            const answer = yield* call<ErrorBody>(method, path.replace("{id}", "x"), body, { authorization })
            assert.deepStrictEqual([answer.status, answer.body.error.code], [503, "admin_not_configured"])
          }
        }
      }))
  })
})
