import { HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountNotFound } from "../../src/domain/failure/Request.ts"
import { queryParameters } from "../../src/http/route/Target.ts"
import { layer } from "../support/Layered.ts"
import { answers as arrived, answersIn, head } from "../support/RawHttp.ts"
import { rawSocket } from "../support/RawSocket.ts"
import { get, post, postJson, send, sendKeyed, testHttp } from "../support/TestHttp.ts"
import { startTestService } from "../support/TestService.ts"

const account = Keypair.random().publicKey()
const plan = "/v1/testnet/close/plan"
const adminToken = "t".repeat(24)

const answers = {
  read: (address: string) => Effect.fail(new AccountNotFound({ address })),
  plan: () => Effect.fail(new AccountNotFound({ address: account }))
}

const testing = testHttp(answers, { RATE_LIMIT: "1000000", ADMIN_TOKEN: adminToken })

describe("the parameters of a query", () => {
  it("stand by their names; one that was given several times is a list in its order", () => {
    assert.deepStrictEqual(queryParameters("a=1&b=x%20y&a=2&c&__proto__=z&a=3"), {
      a: ["1", "2", "3"],
      b: "x y",
      c: "",
      ["__proto__"]: "z"
    })
  })
})

layer(testing)("a path", (it) => {
  const codes: ReadonlyArray<readonly [path: string, code: string]> = [
    ["/HEALTH", "not_found"],
    ["/Config/exchange-registry", "not_found"],
    [`/testnet/Account/${account}`, "not_found"],
    [`/testnet/account/${"G".repeat(200)}`, "invalid_address"],
    [`/${"n".repeat(200)}/account/${account}`, "invalid_network"],
    [`/v1/testnet/transactions/${"f".repeat(9_000)}`, "invalid_hash"],
    ["/testnet/account/%zz", "invalid_address"],
    ["/testnet/account/%", "invalid_address"],
    [`/%zz/account/${account}`, "invalid_network"],
    ["/health%zz", "not_found"],
    ["/%68ealth", "not_found"],
    ["/health%3Bx", "not_found"],
    [`/%74estnet/account/${account}`, "not_found"],
    [`/%74estnet/account/x`, "invalid_address"],
    [`/%2574estnet/account/${account}`, "invalid_network"],
    [`/testnet/account/%47${account.slice(1)}`, "not_found"],
    [`/testnet/account/%2547${account.slice(1)}`, "invalid_address"],
    [`/testnet/account/${account}%2f`, "invalid_address"],
    [`/testnet%2faccount/${account}`, "not_found"],
    ["/health;x=1", "not_found"],
    ["/health;", "not_found"],
    [`/testnet/account/${account};x=1`, "invalid_address"],
    [`/testnet;x/account/${account}`, "invalid_network"],
    [`//testnet///account//${account}//`, "not_found"],
    ["/testnet/account/", "not_found"],
    [`/v1/account/${account}`, "invalid_network"]
  ]
  for (const [path, code] of codes) {
    it.effect(`${code}: ${path.replaceAll(account, "G...").slice(0, 60)}`, () =>
      Effect.gen(function*() {
        const answer = yield* sendKeyed(get(path))
        assert.deepStrictEqual([answer.status, answer.code], [code === "not_found" ? 404 : 400, code])
      }))
  }

  it.effect("is the same route with a semicolon or a percent sign behind the question mark", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* send(get("/health?a;b=%zz"))).status, 200)
      assert.strictEqual((yield* send(get("//health//?//a=//b"))).status, 200)
    }))

  it.effect("that a decoded account stands in reaches it", () =>
    Effect.gen(function*() {
      const { details } = yield* sendKeyed(get(`/testnet/account/%47${account.slice(1)}`))
      assert.deepStrictEqual(details, { address: account })
    }))
})

layer(testing)("a query", (it) => {
  it.effect("is decoded as a form is, and repeated as it was meant", () =>
    Effect.gen(function*() {
      for (
        const [text, asset] of [["a+b", "a b"], ["a%20b", "a b"], ["%zz", "%zz"], ["%E0%A4%A", "\ufffd%A"], ["a//b", "a//b"], [
          "a;b",
          "a;b"
        ]]
      ) {
        const { code, details } = yield* sendKeyed(get(`/testnet/paths?fromAsset=${text}&amount=1`))
        assert.deepStrictEqual([code, details], ["invalid_asset", { asset }], text)
      }
    }))

  it.effect("has its names looked at after the path, then what is missing, then its values, then the body", () =>
    Effect.gen(function*() {
      const code = (request: HttpClientRequest.HttpClientRequest) => Effect.map(sendKeyed(request), (answer) => answer.code)
      assert.strictEqual(yield* code(get("/testnet/account/x?other=1&tokens=x")), "invalid_address")
      assert.strictEqual(yield* code(get("/othernet/account/x?other=1")), "invalid_network")
      assert.strictEqual(yield* code(get("/testnet/paths?other=1&amount=0")), "bad_request")
      assert.strictEqual(yield* code(get("/testnet/paths?amount=0")), "missing_parameters")
      assert.strictEqual(yield* code(get("/testnet/paths?amount=0&fromAsset=")), "missing_parameters")
      assert.strictEqual(yield* code(get("/testnet/paths?amount=0&fromAsset=&fromAsset=native")), "missing_parameters")
      assert.strictEqual(yield* code(post(`${plan}?other=1`, "{")), "bad_request")
      assert.strictEqual(yield* code(post("/v1/othernet/close/plan?other=1", "{")), "invalid_network")
      assert.strictEqual(yield* code(get(`/testnet/destinations/${account}?other=1`)), "bad_request")
      assert.strictEqual(yield* code(get("/testnet/destinations/x?other=1")), "invalid_address")
    }))

  it.effect("of an unknown name is told the nearest that is known", () =>
    Effect.gen(function*() {
      const nearest = yield* sendKeyed(get(`/testnet/account/${account}?token=x`))
      assert.include(nearest.text, "The nearest one of this route is tokens.")
      const none = yield* sendKeyed(postJson(`${plan}?token=x`, { source: account }))
      assert.include(none.text, "This route takes no query parameters.")
    }))
})

layer(testing)("a form", (it) => {
  const types = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]

  it.effect("is no body, whatever it holds", () =>
    Effect.gen(function*() {
      for (const type of types) {
        for (const body of [`source=${account}`, JSON.stringify({ source: account })]) {
          const { code, status } = yield* sendKeyed(post(plan, body, type))
          assert.deepStrictEqual([status, code], [415, "unsupported_media_type"], type)
        }
        assert.strictEqual(
          (yield* send(post("/keys/challenge", `network=testnet&address=${account}`, type))).code,
          "unsupported_media_type"
        )
      }
    }))

  it.effect("is refused even where no body is asked for, and so is what is no JSON", () =>
    Effect.gen(function*() {
      const asked = (body: string, type?: string) =>
        Effect.map(send(HttpClientRequest.bearerToken(post("/admin/api-keys/1/revoke", body, type), adminToken)), ({ code }) => code)
      for (const type of types) assert.strictEqual(yield* asked("a=b", type), "unsupported_media_type")
      assert.strictEqual(yield* asked("{"), "invalid_body")
      assert.strictEqual(yield* asked("[]"), "invalid_body")
      assert.strictEqual(yield* asked(JSON.stringify({ any: Keypair.random().secret() })), "secret_key_refused")
      assert.strictEqual(yield* asked("{\"any\":1}"), "api_key_not_found")
      const bare = HttpClientRequest.bearerToken(HttpClientRequest.post("/admin/api-keys/1/revoke"), adminToken)
      assert.strictEqual((yield* send(bare)).code, "api_key_not_found")
    }))
})

describe("a page of another origin", () => {
  const origin = "https://app.example.com"
  const from = (request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.setHeader(request, "origin", origin)

  it.effect("may read that it asked too often, and may ask what it may do, however long its headers", () =>
    Effect.gen(function*() {
      const long = HttpClientRequest.setHeader("x-note", "x".repeat(9_000))
      const asked = HttpClientRequest.setHeader(
        from(HttpClientRequest.options("/config/exchange-registry")),
        "access-control-request-method",
        "GET"
      )
      assert.strictEqual((yield* send(long(asked))).status, 204)
      const refused = yield* send(from(get("/config/exchange-registry")))
      assert.deepStrictEqual([refused.status, refused.headers["access-control-allow-origin"]], [429, origin])
    }).pipe(Effect.provide(testHttp({}, { CORS_ORIGINS: origin, RATE_LIMIT: "1" }))))
})

it.scopedLive("targets that are no path lead nowhere", () =>
  Effect.gen(function*() {
    const { url } = yield* startTestService()
    for (
      const [target, status] of [["*", 404], ["http://localhost", 200], ["http://localhost?x=/health", 200], ["/health#/x", 200]] as const
    ) {
      const socket = yield* rawSocket(Number(new URL(url).port))
      yield* socket.write(head("GET", target, {}))
      assert.strictEqual(answersIn(yield* socket.until(arrived(1)))[0]?.status, status, target)
    }
  }))
