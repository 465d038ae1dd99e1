import { HttpClientRequest, OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, TestClock } from "effect"
import { Api } from "../../src/api/Api.ts"
import { BatchRequest } from "../../src/api/Batch.ts"
import { features } from "../../src/api/Features.ts"
import { DecisionParams } from "../../src/domain/Decision.ts"
import { CloseRequest } from "../../src/domain/Plan.ts"
import { notYetRoutes } from "../../src/http/NotYet.ts"
import { layer } from "../support/Layered.ts"
import { get, post, postJson, send, sendKeyed, testHttp } from "../support/TestHttp.ts"

const account = Keypair.random().publicKey()
const document: { paths: Record<string, Record<string, { operationId: string; responses: object }>> } = JSON.parse(
  JSON.stringify(OpenApi.fromApi(Api))
)

const bodies: Record<string, unknown> = {
  revokeAllowance: { owner: account, token: account, spender: account },
  planBatch: { addresses: [account] },
  signAsMediator: { transaction: "AAAA" },
  createChallenge: { network: "testnet", address: account },
  openSession: { network: "testnet", transaction: "AAAA" },
  createKey: { owner: "somebody" }
}

const queries: Record<string, string> = { findPath: "?fromAsset=native&amount=1" }

layer(testHttp({}, { RATE_LIMIT: "1000000" }))("routes that are not built yet", (it) => {
  for (const [template, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      it.effect(`${method.toUpperCase()} ${template}`, () =>
        Effect.gen(function*() {
          const isListed = (notYetRoutes as ReadonlyArray<string>).includes(operationId)
          assert.strictEqual("501" in responses, isListed, "declared exactly when it is listed")
          if (!isListed) return
          const path = template.replace("{network}", "testnet").replace("{address}", account).replace("{id}", "1") +
            (queries[operationId] ?? "")
          const body = bodies[operationId]
          const posted = body === undefined ? HttpClientRequest.post(path) : postJson(path, body)
          const request = method === "get" ? get(path) : posted
          const { code, status } = yield* sendKeyed(request)
          assert.deepStrictEqual([status, code], [501, "not_implemented"])
        }))
    }
  }
})

layer(testHttp())("public routes", (it) => {
  it.effect("the index says where to go and which networks are served", () =>
    Effect.gen(function*() {
      const { json } = yield* send(get("/"))
      assert.deepStrictEqual(json, {
        name: "account-closeout",
        version: "0.1.0",
        docs: "/docs",
        openapi: "/openapi.json",
        health: "/health",
        keys: "/keys",
        features,
        protocols: [{ name: "lend_1", label: "Blend", docs: "/docs/errors.md#protocol-lend_1" }],
        networks: {
          mainnet: { enabled: false, closable: false, unread: [], note: "This network is switched off on this service." },
          testnet: { enabled: true, closable: true, unread: [], note: null, sandbox: true, passphrase: "testnet passphrase" }
        }
      })
    }))

  it.effect("the features it lists are fields of the requests they name", () =>
    Effect.sync(() => {
      const fields = { request: CloseRequest.fields, batch: BatchRequest.fields, params: DecisionParams.fields }
      const known = Object.entries(fields).flatMap(([where, of]) => Object.keys(of).map((name) => `${where}.${name}`))
      assert.includeMembers(known, [...features])
    }))

  it.effect("the description is served as it is declared, and valid", () =>
    Effect.gen(function*() {
      const { json } = yield* send(get("/openapi.json"))
      assert.deepStrictEqual(json, JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))
      const outcome = yield* Effect.promise(() => new Validator().validate(JSON.parse(JSON.stringify(json))))
      assert.isTrue(outcome.valid)
    }))

  it.effect("the description and the documentation may be kept: whoever has them is told that nothing changed; all else is not stored", () =>
    Effect.gen(function*() {
      for (const path of ["/openapi.json", "/docs"]) {
        const { headers, status, text } = yield* send(get(path))
        const etag = headers["etag"] ?? assert.fail(`${path} has no ETag`)
        assert.deepStrictEqual([status, headers["cache-control"]], [200, "no-cache"])
        assert.isNotEmpty(text)
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const again = yield* send(HttpClientRequest.setHeader(get(path), "if-none-match", known))
          assert.deepStrictEqual([again.status, again.text, again.headers["etag"]], [304, "", etag], known)
        }
        assert.strictEqual((yield* send(HttpClientRequest.setHeader(get(path), "if-none-match", "\"other\""))).status, 200)
      }
      const { headers } = yield* send(HttpClientRequest.setHeader(get("/"), "if-none-match", "*"))
      assert.deepStrictEqual([headers["etag"], headers["cache-control"]], [undefined, "no-store"])
    }))

  it.effect("the documentation loads nothing from another host", () =>
    Effect.gen(function*() {
      const { headers, status, text } = yield* send(get("/docs"))
      assert.strictEqual(status, 200)
      assert.include(headers["content-type"], "text/html")
      const policy = headers["content-security-policy"] ?? ""
      assert.include(policy, "default-src 'none'")
      assert.notMatch(policy, /https?:|\*/)
      const markup = text.replace(/<script[^>]*>[\s\S]*?<\/script>/g, "<script></script>")
      assert.include(text, "SwaggerUIBundle")
      assert.notInclude(text, "validator.swagger.io")
      assert.notMatch(text, /<script[^>]+src=/i)
      assert.notMatch(markup, /<(link|img|iframe|object|embed|base)\b/i)
      assert.notMatch(markup, /@import|url\(\s*["']?(https?:)?\/\//i)
    }))

  it.effect("the registry is served even when it has expired", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(1970, 5, 1))
      const { json, status } = yield* send(get("/config/exchange-registry"))
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, { version: "1", lastVerified: "1970-01-01", validUntil: "1970-03-01", source: "test", entries: [] })
    }))
})

describe("CORS", () => {
  const origin = "https://app.example.com"
  const from = (request: HttpClientRequest.HttpClientRequest, name = origin) => HttpClientRequest.setHeader(request, "origin", name)
  const ask = (path: string, method = "GET") =>
    from(HttpClientRequest.options(path)).pipe(HttpClientRequest.setHeader("access-control-request-method", method))

  it.effect("is off by default", () =>
    Effect.gen(function*() {
      assert.notProperty((yield* send(from(get("/health")))).headers, "access-control-allow-origin")
      assert.strictEqual((yield* send(ask("/health"))).status, 405)
    }).pipe(Effect.provide(testHttp())))

  it.effect("opens the public routes to the origins of the setting only", () =>
    Effect.gen(function*() {
      const allowed = yield* send(from(get("/health")))
      assert.deepStrictEqual([allowed.headers["access-control-allow-origin"], allowed.headers["vary"]], [origin, "Accept-Encoding, Origin"])
      assert.notProperty((yield* send(from(get("/health"), "https://evil.example.com"))).headers, "access-control-allow-origin")
      assert.notProperty((yield* send(get("/health"))).headers, "access-control-allow-origin")
      const asked = yield* send(ask("/health"))
      assert.deepStrictEqual([asked.status, asked.headers["access-control-allow-origin"], asked.headers["access-control-allow-methods"]], [
        204,
        origin,
        "GET, HEAD"
      ])
    }).pipe(Effect.provide(testHttp({}, { CORS_ORIGINS: `https://other.example.com, ${origin}` }))))

  it.effect("never opens a route that needs a key, nor an unknown one", () =>
    Effect.gen(function*() {
      for (const path of [`/testnet/account/${account}`, "/nowhere", "/metrics", "/keys/mine"]) {
        assert.notProperty((yield* send(from(get(path)))).headers, "access-control-allow-origin", path)
      }
      const asked = yield* send(ask("/v1/testnet/close/plan", "POST"))
      assert.strictEqual(asked.status, 405)
      assert.notProperty(asked.headers, "access-control-allow-origin")
      assert.notProperty((yield* send(from(post("/v1/testnet/submit", "{}")))).headers, "access-control-allow-origin")
    }).pipe(Effect.provide(testHttp({}, { CORS_ORIGINS: "*" }))))
})
