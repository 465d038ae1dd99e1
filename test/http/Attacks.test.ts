import { OpenApi } from "@effect/platform"
import { assert } from "@effect/vitest"
import { Keypair, StrKey } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { gzipSync } from "node:zlib"
import { Api } from "../../src/api/Api.ts"
import { ErrorTable } from "../../src/api/ErrorTable.ts"
import { bearer, closingBy, openedBy } from "../keys/support/Proving.ts"
import { layer } from "../support/Layered.ts"
import { answers, answersIn, chunk, head, type RawAnswer } from "../support/RawHttp.ts"
import { rawSocket } from "../support/RawSocket.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { type ErrorBody, startTestService, type TestService } from "../support/TestService.ts"

const adminToken = randomBytes(24).toString("hex")
const seed = Keypair.random().secret()
const account = Keypair.random().publicKey()
const contract = StrKey.encodeContract(randomBytes(32))
const marked = "a-marked-value"
const plan = "/v1/testnet/close/plan"
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const codes: ReadonlySet<string> = new Set(Object.values(ErrorTable).map(({ code }) => code))

class Attacked extends Context.Tag("closeout/test/http/Attacked")<Attacked, {
  readonly service: TestService
  readonly port: number
  readonly lines: ReturnType<typeof serviceLog>["lines"]
}>() {
  static readonly layer = Layer.scoped(
    Attacked,
    Effect.gen(function*() {
      const { layer: logging, lines } = serviceLog()
      const service = yield* startTestService({ ADMIN_TOKEN: adminToken }, undefined, logging)
      return { service, port: Number(new URL(service.url).port), lines }
    })
  )
}

/** The code of an error answer with the envelope and the common fields; fails for any other answer. */
const codeOf = ({ body, headers }: RawAnswer): string => {
  assert.match(headers["x-request-id"] ?? "", uuid)
  assert.strictEqual(headers["cache-control"], "no-store")
  assert.include(headers["content-type"], "application/json")
  const told: ErrorBody = JSON.parse(body)
  assert.deepStrictEqual(Object.keys(told), ["error"])
  assert.deepStrictEqual(Object.keys(told.error), ["code", "message", "details"])
  const { helpUrl, requestId, retry } = told.error.details
  assert.strictEqual(requestId, headers["x-request-id"])
  assert.include(["never", "after_fix", "after_delay", "replan"], retry)
  assert.match(String(helpUrl), new RegExp(`^(http://(127\\.0\\.0\\.1|localhost):\\d+)?/docs/errors\\.md#error-${told.error.code}$`))
  assert.isAtMost(told.error.message.length, 240)
  assert.include([...codes], told.error.code)
  return told.error.code
}

/** The first answer to these bytes, and whether the connection was closed after it. */
const told = (bytes: string | Uint8Array) =>
  Effect.gen(function*() {
    const { port } = yield* Attacked
    const socket = yield* rawSocket(port)
    yield* socket.write(bytes)
    const [first] = answersIn(yield* socket.until(answers(1)))
    return first ?? (yield* Effect.dieMessage("no answer"))
  }).pipe(Effect.scoped)

const refused = (bytes: string | Uint8Array) => Effect.map(told(bytes), (answer) => [answer.status, codeOf(answer)] as const)

const keyed = (service: TestService, more: Readonly<Record<string, string>> = {}) => ({
  authorization: `Bearer ${service.key}`,
  "content-type": "application/json",
  ...more
})

/** The bytes of a request with the key, these further header lines, and the rest. */
const posted = (service: TestService, lines: string, rest: string) =>
  `${head("POST", plan, keyed(service)).slice(0, -2)}${lines}\r\n\r\n${rest}`

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly required?: boolean }
}

const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = JSON.parse(JSON.stringify(OpenApi.fromApi(Api).paths))

/** Every route of the contract. */
const routes = Object.entries(paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, { operationId, requestBody }]) => ({
    template,
    method: method.toUpperCase(),
    operationId,
    hasBody: requestBody !== undefined
  }))
)

/** The path of a template with another value for every parameter except the network. */
const pathOf = (template: string, given: string): string =>
  template.replace("{network}", "testnet").replaceAll(/\{[a-z]+\}/gi, encodeURIComponent(given))

/** Tokens of the two pages with sessions. */
interface Sessions {
  readonly keys: string
  readonly close: string
}

const sessionsOf = (service: TestService) =>
  Effect.gen(function*() {
    const somebody = Keypair.random()
    const keys = yield* openedBy(service, somebody.publicKey(), somebody)
    const close = yield* closingBy(service, somebody.publicKey(), somebody)
    return { keys: keys.token, close: close.token }
  })

/** The token that a route requires. */
const tokenOf = ({ template }: { readonly template: string }, service: TestService, sessions: Sessions): string => {
  if (template.startsWith("/admin")) return adminToken
  if (template.startsWith("/close")) return sessions.close
  return template.startsWith("/keys/mine") ? sessions.keys : service.key
}

layer(Attacked.layer)("a service under attack", (live) => {
  live.scoped("refuses requests whose end could be disputed, and closes the connection", () =>
    Effect.gen(function*() {
      const { port, service } = yield* Attacked
      const second = head("GET", "/admin/api-keys", bearer(adminToken))
      const smuggled: Readonly<Record<string, string>> = {
        "both lengths": posted(service, "Content-Length: 4\r\nTransfer-Encoding: chunked", `0\r\n\r\n${second}`),
        "two lengths": posted(service, "Content-Length: 0\r\nContent-Length: 2", `{}${second}`),
        "the same length twice": posted(service, "Content-Length: 2\r\nContent-Length: 2", `{}${second}`),
        "a list of lengths": posted(service, "Content-Length: 2, 2", `{}${second}`),
        "a signed length": posted(service, "Content-Length: +2", `{}${second}`),
        "a negative length": posted(service, "Content-Length: -1", second),
        "a length beyond all numbers": posted(service, "Content-Length: 99999999999999999999999", second),
        "another transfer coding": posted(service, "Transfer-Encoding: xchunked", `0\r\n\r\n${second}`),
        "chunked, but not last": posted(service, "Transfer-Encoding: chunked, gzip", `0\r\n\r\n${second}`),
        "chunked, then not": posted(service, "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", `0\r\n\r\n${second}`),
        "a folded line": posted(service, "X-One: 1\r\n Content-Length: 2", `{}${second}`),
        "a space before the colon": posted(service, "Content-Length : 2", `{}${second}`),
        "a chunk without a size": posted(service, "Transfer-Encoding: chunked", `zz\r\n{}\r\n0\r\n\r\n${second}`),
        "a long chunk extension": posted(service, "Transfer-Encoding: chunked", `2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
        "endless trailers": posted(service, "Transfer-Encoding: chunked", `0\r\n${"a: b\r\n".repeat(5_000)}\r\n`),
        "a bare line feed": `GET /health HTTP/1.1\nHost: localhost\r\n\r\n${second}`,
        "a bare carriage return": `GET /health HTTP/1.1\r\nHost: a\rX-Two: b\r\n\r\n${second}`,
        "a null byte in a header": `GET /health HTTP/1.1\r\nHost: a\0b\r\n\r\n${second}`,
        "a null byte in the target": `GET /hea\0lth HTTP/1.1\r\nHost: localhost\r\n\r\n${second}`,
        "bytes beyond ASCII in the target": `GET /h\u00e9 HTTP/1.1\r\nHost: localhost\r\n\r\n${second}`,
        "two thousand headers": `GET /health HTTP/1.1\r\n${"a: b\r\n".repeat(2_800)}\r\n${second}`,
        "another protocol's greeting": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "a proxy's greeting": `PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n${second}`
      }
      for (const [name, bytes] of Object.entries(smuggled)) {
        const socket = yield* rawSocket(port)
        yield* socket.write(bytes)
        const found = answersIn(yield* socket.closed)
        // The only error. At most the first request got an answer before it, and the second one none.
        assert.deepStrictEqual(found.map((answer) => [answer.status, codeOf(answer)]), [[400, "bad_request"]], name)
        assert.strictEqual(found[0]?.headers["connection"], "close", name)
      }
    }))

  live.effect("refuses what says twice what can be said once, and what is compressed on its way", () =>
    Effect.gen(function*() {
      const { service } = yield* Attacked
      const twice = (name: string) => `GET /health HTTP/1.1\r\n${name}: a\r\nX-Between: b\r\n${name.toUpperCase()}: b\r\n\r\n`
      for (const name of ["host", "authorization", "content-type", "content-encoding"]) {
        assert.deepStrictEqual(yield* refused(twice(name)), [400, "bad_request"], name)
      }
      const bomb = gzipSync(Buffer.alloc(5_000_000, "{"))
      const declared = head("POST", plan, keyed(service, { "content-encoding": "gzip", "content-length": String(bomb.length) }))
      assert.deepStrictEqual(yield* refused(Buffer.concat([Buffer.from(declared), bomb])), [415, "unsupported_media_type"])
      const coded = head("POST", plan, keyed(service, { "transfer-encoding": "gzip, chunked" }))
      assert.deepStrictEqual(yield* refused(`${coded}${chunk(bomb.toString("latin1"))}0\r\n\r\n`), [415, "unsupported_media_type"])
    }))

  live.effect("finds no route by a path that is written in another way", () =>
    Effect.gen(function*() {
      const admin = bearer(adminToken)
      for (
        const path of [
          "/admin%2fapi-keys",
          "/%61dmin/api-keys",
          "/admin/./api-keys",
          "/health/../admin/api-keys",
          "/health/%2e%2e/admin/api-keys",
          "/health/%252e%252e%252fadmin/api-keys",
          "/health\\..\\admin\\api-keys",
          "/admin;a=b/api-keys",
          "/admin/api-keys%00",
          "/%c0%ae%c0%ae/admin/api-keys",
          "/ADMIN/api-keys",
          "ftp://localhost/admin/api-keys"
        ]
      ) {
        assert.deepStrictEqual(yield* refused(head("GET", path, admin)), [404, "not_found"], path)
      }
      // With scheme and host, as in a proxy request, it is the same route with the same protection.
      assert.strictEqual((yield* told(head("GET", "http://other.example.org/admin/api-keys", admin))).status, 200)
      assert.deepStrictEqual(yield* refused(head("GET", "http://a:b@localhost/admin/api-keys", {})), [401, "unauthorized"])
    }))

  live.effect("answers methods that it does not know, and leads nowhere else", () =>
    Effect.gen(function*() {
      for (const method of ["TRACE", "PROPFIND", "QUERY", "DELETE", "PATCH", "M-SEARCH"]) {
        const answer = yield* told(head(method, "/health", { "x-marked": marked }))
        assert.deepStrictEqual([answer.status, codeOf(answer), answer.headers["allow"]], [405, "method_not_allowed", "GET, HEAD"])
        assert.notInclude(answer.body, marked)
      }
      for (const method of ["get", "FOO", "G ET", ""]) {
        assert.deepStrictEqual(yield* refused(head(method, "/health", {})), [400, "bad_request"], method)
      }
      const tunnel = yield* told(head("CONNECT", "example.org:443", {}))
      assert.deepStrictEqual([tunnel.status, codeOf(tunnel), tunnel.headers["connection"]], [405, "method_not_allowed", "close"])
    }))

  live.effect("takes names of prototypes for names that nobody knows", () =>
    Effect.gen(function*() {
      const { service } = yield* Attacked
      const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]
      for (const name of names) {
        const bodies = [
          `{"source":"${account}","${name}":{"polluted":true}}`,
          `{"${name}":{"source":"${account}"}}`,
          `{"source":"${account}","decisions":[{"id":"later","choice":"leave_what_came_later","params":{"${name}":{"polluted":true}}}]}`,
          `{"source":"${account}","memo":{"type":"${name}","value":"${name}"}}`
        ]
        for (const body of bodies) {
          const request = head("POST", plan, keyed(service, { "content-length": String(body.length) })) + body
          const [status, code] = yield* refused(request)
          assert.deepStrictEqual([status, ["invalid_body", "invalid_memo", "invalid_decisions"].includes(code)], [400, true], body)
        }
        const query = `/testnet/paths?fromAsset=native&amount=1&${name}=1`
        assert.deepStrictEqual(yield* refused(head("GET", query, keyed(service))), [400, "bad_request"])
        assert.strictEqual((yield* told(head("GET", `/health?${name}=1&${name}=2`, {}))).status, 200)
        assert.deepStrictEqual(yield* refused(head("GET", `/${name}/account/${name}`, keyed(service))), [400, "invalid_network"])
        assert.deepStrictEqual(yield* refused(head("GET", `/testnet/account/${name}`, keyed(service))), [400, "invalid_address"])
        assert.deepStrictEqual(yield* refused(head("GET", `/${name}`, keyed(service))), [404, "not_found"])
      }
      assert.notProperty({}, "polluted")
    }))

  live.scoped(
    "refuses bodies that are deep, wide, or repeat themselves, one after the other on one connection",
    () =>
      Effect.gen(function*() {
        const { port, service } = yield* Attacked
        const fields = Array.from({ length: 60_000 }, (_, index) => `"${index}":0`).join(",")
        const bodies = [
          "[".repeat(1_000_000),
          `{"source":${"{\"a\":".repeat(100_000)}1${"}".repeat(100_000)}}`,
          `{"source":"${account}",${fields}}`,
          `{"source":"${account}","source":1}`,
          `{"source":"${"\\u0041".repeat(100_000)}"}`,
          `{"source":1e999999999,"destination":${"9".repeat(500_000)}}`,
          `"${"\\".repeat(900_000)}"`,
          "{\"source\":\"\\ud800\"}"
        ]
        const socket = yield* rawSocket(port)
        for (const [index, body] of bodies.entries()) {
          yield* socket.write(head("POST", plan, keyed(service, { "content-length": String(Buffer.byteLength(body)) })) + body)
          const last = answersIn(yield* socket.until(answers(index + 1))).at(-1)
          assert.strictEqual(last?.status, 400, body.slice(0, 40))
          assert.include(["invalid_body", "invalid_source"], codeOf(last!), body.slice(0, 40))
          assert.isBelow(last!.body.length, 10_000)
        }
      })
  )

  live.effect("lets no line break of a caller into a header or a line of the log", () =>
    Effect.gen(function*() {
      const { lines, service } = yield* Attacked
      const injected = "\r\nSet-Cookie: a=b\r\n\r\nHTTP/1.1 200 OK"
      const encoded = encodeURIComponent(injected)
      const body = JSON.stringify({ source: account, memo: { type: "text", value: injected } })
      const attempts = [
        head("GET", `/testnet/account/${encoded}`, keyed(service)),
        head("GET", `/testnet/paths?fromAsset=${encoded}&amount=1`, keyed(service)),
        head("GET", `/${encoded}`, { "x-request-id": encoded, origin: encoded }),
        head("GET", `/health${encoded}`, { authorization: `Bearer ${encoded}` }),
        head("POST", plan, keyed(service, { "content-length": String(body.length) })) + body
      ]
      for (const attempt of attempts) {
        const answer = yield* told(attempt)
        codeOf(answer)
        assert.notProperty(answer.headers, "set-cookie")
        assert.include([400, 404], answer.status)
      }
      for (const { fields, text } of lines) assert.notMatch(`${text}${Object.values(fields).join("")}`, /[\r\n]|Set-Cookie/)
    }))

  live.effect("refuses a secret seed in every body that it reads, and repeats it nowhere", () =>
    Effect.gen(function*() {
      const { lines, service } = yield* Attacked
      const sessions = yield* sessionsOf(service)
      const reading = routes.filter(({ hasBody }) => hasBody)
      assert.isAtLeast(reading.length, 8)
      for (const route of reading) {
        for (
          const body of [{ source: seed }, { [seed]: marked }, { any: [{ deep: `${marked} ${seed.slice(0, 20)} ${seed.slice(20)}` }] }]
        ) {
          const answer = yield* service.call<ErrorBody>(
            route.method,
            pathOf(route.template, account),
            body,
            bearer(tokenOf(route, service, sessions))
          )
          assert.deepStrictEqual([route.template, answer.status, answer.body.error.code], [route.template, 400, "secret_key_refused"])
          assert.notInclude(JSON.stringify(answer.body), seed.slice(20))
        }
      }
      const logged = JSON.stringify(lines)
      for (const private_ of [seed, seed.slice(20), marked, adminToken, service.key, sessions.keys, sessions.close]) {
        assert.notInclude(logged, private_)
      }
    }))

  live.effect(
    "answers every route of the contract with a code of its own, whatever stands in place of its parameters",
    () =>
      Effect.gen(function*() {
        const { service } = yield* Attacked
        const sessions = yield* sessionsOf(service)
        const nasty = ["'; DROP TABLE closeout_keys; --", "\u0000", "../../etc/passwd", "__proto__", "\u202e\ud83d\ude00", "%", contract]
        const odd: ReadonlyArray<unknown> = [{}, { source: null }, {
          network: "testnet",
          address: "\u0000",
          transaction: "A".repeat(2_000)
        }]
        for (const route of routes) {
          const asked = [
            ...(route.template.replace("{network}", "").includes("{") ? nasty : [account]).map((text) => [text, undefined] as const),
            ...(route.hasBody ? odd.map((body) => [account, body] as const) : [])
          ]
          for (const [text, body] of asked) {
            const response = yield* Effect.promise(() =>
              fetch(`${service.url}${pathOf(route.template, text)}`, {
                method: route.method,
                headers: keyed(service, bearer(tokenOf(route, service, sessions))),
                ...(body === undefined ? {} : { body: JSON.stringify(body) })
              })
            )
            const answered = yield* Effect.promise(() => response.text())
            assert.notStrictEqual(response.status, 501, `${route.method} ${route.template}`)
            assert.notStrictEqual(response.status, 500, `${route.method} ${route.template} ${text}`)
            if (response.status >= 400) {
              // An invalid JSON-RPC message has an error code of JSON-RPC.
              const known: ReadonlyArray<unknown> = [...codes, ...(route.template === "/mcp" ? [-32700, -32600] : [])]
              assert.include(known, (JSON.parse(answered) as ErrorBody).error.code)
            }
          }
        }
        assert.strictEqual((yield* service.call<unknown>("GET", "/admin/api-keys", undefined, bearer(adminToken))).status, 200)
      })
  )
})
