import { HttpClientRequest, OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, TestClock } from "effect"
import { Api } from "../../src/api/Api.ts"
import { features } from "../../src/api/Features.ts"
import { layer } from "../support/Layered.ts"
import { get, post, send, testHttp } from "../support/TestHttp.ts"

/** What features call the schemas that bodies are made of. */
const featureNames: Readonly<Record<string, string>> = {
  CloseRequest: "request",
  TransactionsRequest: "request",
  BatchRequest: "batch",
  DecisionParams: "params",
  CreateKeyRequest: "key",
  CreateMyKeyRequest: "key",
  RotateKeyRequest: "rotation"
}

/**
 * Optional fields of requests that the first version had, or that came together with the object they are in. A field that comes later
 * belongs to the features, never here.
 */
const ofFirstVersion = [
  "request.destination",
  "request.memo",
  "request.decisions",
  "request.maxSlippageBps",
  "request.feePayer",
  "request.validForSeconds",
  "request.planHash",
  "batch.accounts",
  "batch.addresses",
  "batch.destination",
  "Decision.params",
  "params.minReceive",
  "params.maxSlippageBps",
  "params.maxAmount",
  "params.destination",
  "params.spendAsset",
  "params.maxSpend",
  "params.maxLumens",
  "params.newSponsor",
  "key.rateLimit",
  "Acceptance.maxLumensEach",
  "McpRequest.id",
  "McpRequest.params"
]

interface Described {
  readonly required?: ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, unknown>>
  readonly allOf?: ReadonlyArray<Described>
}

const schemas: Readonly<Record<string, Described>> = JSON.parse(JSON.stringify(OpenApi.fromApi(Api))).components.schemas

/** Every schema that a body is made of, by its name. */
const requestSchemas = (): ReadonlyMap<string, Described> => {
  const found = new Map<string, Described>()
  const follow = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name]
      if (schema === undefined || found.has(name)) continue
      found.set(name, schema)
      follow(schema)
    }
  }
  for (const operation of Object.values(document.paths).flatMap(Object.values)) follow(operation.requestBody ?? null)
  return found
}

const optionalFields = ({ allOf = [], properties = {}, required = [] }: Described): ReadonlyArray<string> => [
  ...Object.keys(properties).filter((name) => !required.includes(name)),
  ...allOf.flatMap(optionalFields)
]

const account = Keypair.random().publicKey()
const document: { paths: Record<string, Record<string, { operationId: string; responses: object; requestBody?: object }>> } = JSON.parse(
  JSON.stringify(OpenApi.fromApi(Api))
)

describe("the contract", () => {
  it("has no route that answers 501", () => {
    const responses = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap((one) => Object.keys(one.responses))
    )
    assert.notInclude(responses, "501")
  })
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
        llms: "/llms.txt",
        catalog: "/.well-known/api-catalog",
        keys: "/keys",
        close: "/close",
        features,
        protocols: [{ name: "lend_1", label: "Blend", docs: "/docs/errors.md#protocol-lend_1" }],
        networks: {
          mainnet: { enabled: false, closable: false, unread: [], note: "This network is switched off on this service." },
          testnet: { enabled: true, closable: true, unread: [], note: null, sandbox: true, passphrase: "testnet passphrase" }
        }
      })
    }))

  it.effect("the features it lists are the optional fields of requests that the first version did not have", () =>
    Effect.sync(() => {
      const known = [...requestSchemas()].flatMap(([name, schema]) =>
        optionalFields(schema).map((field) => `${featureNames[name] ?? name}.${field}`)
      )
      assert.deepStrictEqual([...new Set(known)].toSorted(), [...features, ...ofFirstVersion].toSorted())
    }))

  it.effect("the description is served as it is declared, and valid", () =>
    Effect.gen(function*() {
      const { json } = yield* send(get("/openapi.json"))
      assert.deepStrictEqual(json, JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))
      const outcome = yield* Effect.promise(() => new Validator().validate(JSON.parse(JSON.stringify(json))))
      assert.isTrue(outcome.valid)
    }))

  it.effect("the description and the documentation may be kept for five minutes, and are sent again only when they changed; all else is not stored", () =>
    Effect.gen(function*() {
      for (const path of ["/openapi.json", "/docs", "/docs/errors.md", "/llms.txt", "/.well-known/api-catalog"]) {
        const { headers, status, text } = yield* send(get(path))
        const etag = headers["etag"] ?? assert.fail(`${path} has no ETag`)
        assert.deepStrictEqual([status, headers["cache-control"]], [200, "public, max-age=300"])
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

  it.effect("the documentation says in words which token a route needs", () =>
    Effect.gen(function*() {
      const { text } = yield* send(get("/docs"))
      const needed = [...text.matchAll(/Needs (.*?): <code>Authorization/g)].map(([, words = ""]) => words)
      assert.include(needed, "the token of a session of the page <code>/close</code>")
      assert.deepStrictEqual(needed.filter((words) => !words.includes(" ")), [])
    }))

  it.effect("the documentation begins with the close loop, and loads nothing from another host", () =>
    Effect.gen(function*() {
      for (const path of ["/docs", "/docs/errors.md"]) {
        const { headers, status, text } = yield* send(get(path))
        assert.strictEqual(status, 200)
        assert.include(headers["content-type"], "text/html")
        const policy = headers["content-security-policy"] ?? ""
        assert.include(policy, "default-src 'none'")
        assert.notMatch(policy, /https?:|\*|unsafe/)
        assert.notMatch(text, /<script[^>]+src=/i)
        assert.notMatch(text, /<(link|img|iframe|object|embed|base)\b/i)
        assert.notMatch(text, /@import|url\(/i)
        const ids = [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)
        assert.strictEqual(new Set(ids).size, ids.length, "an id is there twice")
        const inside = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
        assert.deepStrictEqual(inside.filter((id) => !ids.includes(id)), [])
      }
      const { text } = yield* send(get("/docs"))
      const headings = [...text.matchAll(/<h2[^>]*>([^<]+)</g)].map(([, heading]) => heading)
      assert.deepStrictEqual(headings.slice(0, 4), ["Close an account in three steps", "Try it on this page", "Close", "Submit"])
      for (const methods of Object.values(document.paths)) {
        for (const { operationId } of Object.values(methods)) assert.include(text, `id="route-${operationId}"`)
      }
      const errors = (yield* send(get("/docs/errors.md"))).text
      const linked = [...text.matchAll(/href="\/docs\/errors\.md#([^"]+)"/g)].map(([, id]) => id)
      assert.isNotEmpty(linked)
      for (const id of linked) assert.include(errors, `id="${id}"`)
    }))

  it.effect("the text for software names the close loop and every route, with links to pages that are served", () =>
    Effect.gen(function*() {
      const { headers, status, text } = yield* send(get("/llms.txt"))
      assert.deepStrictEqual([status, headers["content-type"]], [200, "text/plain; charset=utf-8"])
      assert.match(text, /^# Account Close-out\n\n> /)
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const method of Object.keys(methods)) assert.include(text, `\`${method.toUpperCase()} ${path}\``)
      }
      const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, link = ""]) => link)
      assert.lengthOf(links, 4)
      for (const link of links) assert.strictEqual((yield* send(get(link))).status, 200, link)
    }))

  it.effect("the API catalog is a link set whose targets are served, and HEAD names it (RFC 9727)", () =>
    Effect.gen(function*() {
      const path = "/.well-known/api-catalog"
      const { headers, status, text } = yield* send(get(path))
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"")
      const { linkset: [context, ...others] } = JSON.parse(text) as { readonly linkset: ReadonlyArray<Record<string, unknown>> }
      assert.isEmpty(others)
      const { anchor, ...relations } = context ?? {}
      assert.match(String(anchor), /^http:\/\/(127\.0\.0\.1|localhost):\d+\/$/)
      assert.deepStrictEqual(Object.keys(relations), ["service-desc", "service-doc", "status"])
      for (const { href, type } of Object.values(relations).flat() as ReadonlyArray<{ readonly href: string; readonly type: string }>) {
        assert.isTrue(href.startsWith(String(anchor)), href)
        const target = yield* send(get(href.slice(String(anchor).length - 1)))
        assert.strictEqual(target.status, 200, href)
        assert.isTrue(target.headers["content-type"]?.startsWith(type), `${href}: ${target.headers["content-type"] ?? ""}`)
      }
      const head = yield* send(HttpClientRequest.head(path))
      assert.deepStrictEqual([head.status, head.headers["link"]], [200, `<${path}>; rel="api-catalog"`])
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
