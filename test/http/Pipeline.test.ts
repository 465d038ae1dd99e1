import { HttpClientRequest, HttpServer } from "@effect/platform"
import { assert } from "@effect/vitest"
import { Keypair, StrKey } from "@stellar/stellar-sdk"
import { Duration, Effect, FastCheck, Redacted } from "effect"
import { type Asker, Requester } from "../../src/close/load/Requester.ts"
import { AccountNotFound } from "../../src/domain/failure/Request.ts"
import { ServiceBusy } from "../../src/domain/failure/Upstream.ts"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { layer } from "../support/Layered.ts"
import { get, post, postJson, send, sendKeyed, testHttp } from "../support/TestHttp.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const account = Keypair.random().publicKey()
const seed = Keypair.random().secret()
const muxed = StrKey.encodeMed25519PublicKey(Buffer.concat([StrKey.decodeEd25519PublicKey(account), Buffer.alloc(8)]))
const contracts = Array.from({ length: 21 }, () => StrKey.encodeContract(Buffer.from(Keypair.random().rawPublicKey())))
const plan = "/v1/testnet/close/plan"

/** An asset whose code and issuer together contain a seed when nothing separates them. */
const joinsToSeed = (): { readonly code: string; readonly issuer: string } => {
  for (;;) {
    const joined = Keypair.random().secret()
    const key = StrKey.encodeEd25519PublicKey(Keypair.random().rawPublicKey())
    if (!/^.{12}G[A-D]/.test(joined)) continue
    // The issuer begins with the rest of the seed; the rest of its key is free, and its checksum follows.
    const wanted = joined.slice(12) + key.slice(44)
    const bits = [...wanted].map((character) => base32.indexOf(character).toString(2).padStart(5, "0")).join("")
    const payload = Uint8Array.from({ length: 32 }, (_, index) => parseInt(bits.slice(8 + 8 * index, 16 + 8 * index), 2))
    return { code: joined.slice(0, 12), issuer: StrKey.encodeEd25519PublicKey(Buffer.from(payload)) }
  }
}

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** The help link for an error of that code, in a service with the sandbox only. */
const helpAt = (code: string) =>
  Effect.map(HttpServer.HttpServer, ({ address }) => {
    assert(address._tag === "TcpAddress")
    return `http://localhost:${address.port}/docs/errors.md#error-${code}`
  })

const answers = {
  read: (address: string) => Effect.fail(new AccountNotFound({ address })),
  plan: () => Effect.fail(new AccountNotFound({ address: account })),
  lookup: () => Effect.dieMessage("a fault with a secret detail")
}

layer(testHttp(answers, { RATE_LIMIT: "1000000" }))("every answer", (it) => {
  it.effect("carries a request id of the server's own making", () =>
    Effect.gen(function*() {
      const first = yield* send(HttpClientRequest.setHeader(get("/health"), "x-request-id", "mine"))
      const second = yield* send(get("/nowhere"))
      assert.match(first.headers["x-request-id"] ?? "", uuid)
      assert.match(second.headers["x-request-id"] ?? "", uuid)
      assert.notStrictEqual(first.headers["x-request-id"], second.headers["x-request-id"])
    }))

  it.effect("is not to be stored and tells the rate limit", () =>
    Effect.gen(function*() {
      for (
        const request of [
          get("/config/exchange-registry"),
          get("/nowhere"),
          get(`/testnet/account/${account}`),
          post(plan, "{}", "text/plain")
        ]
      ) {
        const { headers } = yield* send(request)
        assert.strictEqual(headers["cache-control"], "no-store")
        assert.strictEqual(headers["ratelimit-limit"], "1000000")
        assert.match(headers["ratelimit-remaining"] ?? "", /^\d+$/)
        assert.match(headers["ratelimit-reset"] ?? "", /^[1-9]\d*$/)
      }
    }))

  it.effect("to an unknown route is the envelope", () =>
    Effect.gen(function*() {
      for (
        const path of [
          "/nowhere",
          "/v1",
          "/v2/testnet/close/plan",
          "/testnet",
          "/%",
          "/%zz/%e0%a4%a",
          "/health/deep/er",
          "/Health",
          "/..%2f"
        ]
      ) {
        const { headers, json, status } = yield* sendKeyed(get(path))
        assert.strictEqual(status, 404, path)
        const help = { retry: "after_fix", requestId: headers["x-request-id"], helpUrl: yield* helpAt("not_found") }
        assert.deepStrictEqual(json, {
          error: { code: "not_found", message: "This route does not exist. GET /openapi.json lists all routes.", details: help }
        })
        assert.include(headers["content-type"], "application/json")
      }
    }))

  it.effect("to another method names those there are", () =>
    Effect.gen(function*() {
      const wrong = yield* sendKeyed(HttpClientRequest.del("/health"))
      assert.deepStrictEqual([wrong.status, wrong.code, wrong.headers["allow"]], [405, "method_not_allowed", "GET, HEAD"])
      assert.deepStrictEqual(wrong.details, { allow: ["GET", "HEAD"] })
      const read = yield* sendKeyed(get(plan))
      assert.deepStrictEqual([read.status, read.headers["allow"]], [405, "POST"])
      const both = yield* sendKeyed(HttpClientRequest.put("/testnet/allowances/revoke"))
      assert.sameMembers((both.headers["allow"] ?? "").split(", "), ["GET", "HEAD", "POST"])
    }))

  it.effect("takes a slash too many, and HEAD for GET", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* send(get("/health/"))).status, 200)
      assert.strictEqual((yield* send(get("//health"))).status, 200)
      const head = yield* send(HttpClientRequest.head("/health"))
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.match(head.headers["x-request-id"] ?? "", uuid)
      assert.strictEqual((yield* sendKeyed(HttpClientRequest.head(plan))).status, 405)
    }))

  it.effect("to a fault says nothing of it", () =>
    Effect.gen(function*() {
      const { headers, json, status, text } = yield* sendKeyed(get(`/v1/testnet/transactions/${"a".repeat(64)}`))
      assert.strictEqual(status, 500)
      assert.notInclude(text, "secret detail")
      assert.deepStrictEqual(json, {
        error: {
          code: "internal_error",
          message: "The service had an internal error. Try again. If you report it, quote X-Request-Id.",
          details: { retry: "after_delay", requestId: headers["x-request-id"], helpUrl: yield* helpAt("internal_error") }
        }
      })
    }))

  it.effect("gives the details of a failure as its fields", () =>
    Effect.gen(function*() {
      const { headers, json, status } = yield* sendKeyed(get(`/testnet/account/${account}`))
      assert.strictEqual(status, 404)
      const help = { retry: "after_fix", requestId: headers["x-request-id"], helpUrl: yield* helpAt("not_found") }
      assert.deepStrictEqual(json, {
        error: { code: "not_found", message: "The account does not exist on this network.", details: { address: account, ...help } }
      })
    }))

  it.effect("of a network that is off asks for no repetition, and says what to do", () =>
    Effect.gen(function*() {
      const { code, details, headers, help, status, text } = yield* sendKeyed(get(`/mainnet/account/${account}`))
      assert.deepStrictEqual([status, code, details, help.retry], [503, "network_unavailable", { network: "mainnet" }, "never"])
      assert.isUndefined(headers["retry-after"])
      assert.notInclude(text, "later")
      assert.include(text, "GET /")
    }))
})

layer(testHttp(answers, { RATE_LIMIT: "1000000" }))("the key", (it) => {
  const path = `/testnet/account/${account}`

  it.effect("is needed, live, and as a bearer", () =>
    Effect.gen(function*() {
      const key = Redacted.value(yield* GeneratedKey)
      const refused = [
        undefined,
        "",
        "Bearer",
        "Bearer ",
        `Basic ${key}`,
        `Basicx ${key}`,
        key,
        `Bearer${key}`,
        `Bearer x${key}`,
        `Bearer ${key}x`,
        `Bearer ${key.toLowerCase()}`
      ]
      for (const authorization of refused) {
        const request = authorization === undefined ? get(path) : HttpClientRequest.setHeader(get(path), "authorization", authorization)
        const { code, details, headers, status } = yield* send(request)
        assert.deepStrictEqual([status, code, details], [401, "unauthorized", undefined], String(authorization))
        assert.strictEqual(headers["www-authenticate"], "Bearer")
      }
    }))

  it.effect("may be announced in any case", () =>
    Effect.gen(function*() {
      const key = Redacted.value(yield* GeneratedKey)
      for (const scheme of ["Bearer", "bearer", "BEARER"]) {
        const { code } = yield* send(HttpClientRequest.setHeader(get(path), "authorization", `${scheme} ${key}`))
        assert.strictEqual(code, "not_found", scheme)
      }
    }))

  it.effect("is not needed for public routes", () =>
    Effect.gen(function*() {
      for (
        const open of [
          "/",
          "/health",
          "/health/deep",
          "/config/exchange-registry",
          "/docs",
          "/openapi.json",
          "/llms.txt",
          "/.well-known/api-catalog"
        ]
      ) {
        assert.strictEqual((yield* send(get(open))).status, 200, open)
      }
    }))
})

layer(testHttp(answers, { RATE_LIMIT: "1000000" }))("input", (it) => {
  it.effect.prop("names any unknown network", {
    network: FastCheck.string({ minLength: 1, maxLength: 150, unit: "grapheme" }).filter((text) =>
      !["mainnet", "testnet", ".", "..", "v1"].includes(text)
    )
  }, ({ network }) =>
    Effect.gen(function*() {
      const { code, status } = yield* sendKeyed(get(`/${encodeURIComponent(network)}/account/${account}`))
      assert.deepStrictEqual([status, code], [400, "invalid_network"])
    }), { fastCheck: { numRuns: 50 } })

  const bad: ReadonlyArray<readonly [path: string, code: string]> = [
    [`/MAINNET/account/${account}`, "invalid_network"],
    [`/%6Dainne/account/${account}`, "invalid_network"],
    [`/%E0%A4%A/account/${account}`, "invalid_network"],
    ["/testnet/account/x", "invalid_address"],
    [`/testnet/account/${"x".repeat(5000)}`, "invalid_address"],
    ["/testnet/account/%E0%A4%A", "invalid_address"],
    [`/testnet/account/${account.toLowerCase()}`, "invalid_address"],
    [`/testnet/account/${account}%20`, "invalid_address"],
    [`/testnet/account/${account.slice(0, -1)}${account.endsWith("A") ? "B" : "A"}`, "invalid_address"],
    [`/testnet/account/${contracts[0]}`, "invalid_address"],
    [`/testnet/account/${muxed}`, "invalid_address"],
    ["/testnet/allowances/revoke", "invalid_address"],
    [`/testnet/account/${account}?tokens=`, "invalid_tokens"],
    [`/testnet/account/${account}?tokens=x`, "invalid_tokens"],
    [`/testnet/account/${account}?tokens=${account}`, "invalid_tokens"],
    [`/testnet/account/${account}?tokens=${contracts.join(",")}`, "invalid_tokens"],
    [`/testnet/account/${account}?tokens=${contracts[0]},${contracts[0]}`, "invalid_tokens"],
    [`/testnet/account/${account}?tokens=${contracts[0]},`, "invalid_tokens"],
    [`/testnet/account/${account}?tokens=${contracts[0]},%20${contracts[1]}`, "invalid_tokens"],
    [`/testnet/account/${account}?tokens=${contracts[0]}&tokens=${contracts[1]}`, "invalid_tokens"],
    [`/testnet/allowances/${account}?spenders=x`, "invalid_spender"],
    ["/testnet/paths", "missing_parameters"],
    ["/testnet/paths?fromAsset=native", "missing_parameters"],
    ["/testnet/paths?fromAsset=native&amount=", "missing_parameters"],
    ["/testnet/paths?fromAsset=USDC&amount=1", "invalid_asset"],
    [`/testnet/paths?fromAsset=USDC:${account}x&amount=1`, "invalid_asset"],
    ["/testnet/paths?fromAsset=native&fromAsset=native&amount=1", "invalid_asset"],
    ["/testnet/paths?fromAsset=native&amount=0", "invalid_amount"],
    ["/testnet/paths?fromAsset=native&amount=0.0000000", "invalid_amount"],
    ["/testnet/paths?fromAsset=native&amount=-1", "invalid_amount"],
    ["/testnet/paths?fromAsset=native&amount=1e5", "invalid_amount"],
    ["/testnet/paths?fromAsset=native&amount=1.12345678", "invalid_amount"],
    ["/testnet/paths?fromAsset=native&amount=999999999999999", "invalid_amount"],
    ["/testnet/paths?fromAsset=native&amount=1&maxSlippageBps=0", "invalid_slippage"],
    ["/testnet/paths?fromAsset=native&amount=1&maxSlippageBps=5001", "invalid_slippage"],
    ["/testnet/paths?fromAsset=native&amount=1&maxSlippageBps=1.5", "invalid_slippage"],
    ["/testnet/paths?fromAsset=native&amount=1&maxSlippageBps=x", "invalid_slippage"],
    ["/v1/testnet/transactions/x", "invalid_hash"],
    [`/v1/testnet/transactions/${"G".repeat(64)}`, "invalid_hash"],
    [`/v1/testnet/transactions/${"a".repeat(65)}`, "invalid_hash"]
  ]
  for (const [path, code] of bad) {
    it.effect(`${code}: ${path.slice(0, 60).replaceAll(account, "G...")}`, () =>
      Effect.gen(function*() {
        const received = yield* sendKeyed(get(path))
        assert.deepStrictEqual([received.status, received.code], [400, code])
      }))
  }

  it.effect("names every parameter that is missing", () =>
    Effect.gen(function*() {
      const { details } = yield* sendKeyed(get("/testnet/paths"))
      assert.deepStrictEqual(details, { missing: ["fromAsset", "amount"] })
    }))

  it.effect("takes twenty tokens, and no parameter it does not know", () =>
    Effect.gen(function*() {
      const tokens = `/testnet/account/${account}?tokens=${contracts.slice(0, 20).join(",")}`
      assert.strictEqual((yield* sendKeyed(get(tokens))).code, "not_found")
      assert.strictEqual((yield* sendKeyed(get(`${tokens}&other=1`))).code, "bad_request")
    }))

  it.effect("explains what a contract or muxed address is missing", () =>
    Effect.gen(function*() {
      assert.include((yield* sendKeyed(get(`/testnet/account/${muxed}`))).text, "Muxed")
      assert.include((yield* sendKeyed(get(`/testnet/account/${contracts[0]}`))).text, "contract address")
    }))
})

layer(testHttp(answers, { RATE_LIMIT: "1000000" }))("a body", (it) => {
  const bad: ReadonlyArray<readonly [name: string, body: string]> = [
    ["empty", ""],
    ["white", "  \n"],
    ["cut off", "{\"source\":"],
    ["trailing text", "{} {}"],
    ["an array", "[]"],
    ["null", "null"],
    ["a number", "1"],
    ["a string", "\"{}\""],
    ["a field missing", "{}"],
    ["a field of another type", "{\"source\":1}"],
    ["a list of another type", `{"source":"${account}","decisions":{}}`],
    ["deep nesting", `{"source":"${account}","decisions":${"[".repeat(100)}${"]".repeat(100)}}`],
    ["very deep nesting", `{"source":${"[".repeat(50_000)}`]
  ]
  for (const [name, body] of bad) {
    it.effect(`is refused: ${name}`, () =>
      Effect.gen(function*() {
        const { code, details, status } = yield* sendKeyed(post(plan, body))
        assert.deepStrictEqual([status, code], [400, "invalid_body"])
        assert.property(details, "issues")
      }))
  }

  it.effect("has every wrong place named, and nothing of it repeated", () =>
    Effect.gen(function*() {
      const { details, text } = yield* sendKeyed(postJson(plan, { source: ["quite private"], destination: 5, maxSlippageBps: "x" }))
      const issues = details?.["issues"]
      assert.isArray(issues)
      assert.sameMembers(JSON.parse(JSON.stringify(issues)).map((issue: { path: string }) => issue.path), [
        "source",
        "destination",
        "maxSlippageBps"
      ])
      assert.notInclude(text, "private")
    }))

  it.effect("must be UTF-8", () =>
    Effect.gen(function*() {
      const bytes = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
      const request = HttpClientRequest.post(plan).pipe(HttpClientRequest.bodyUint8Array(bytes, "application/json"))
      const { code, details } = yield* sendKeyed(request)
      assert.deepStrictEqual([code, details], ["invalid_body", { issues: [{ path: "", message: "is not UTF-8" }] }])
    }))

  it.effect("is refused with fields nobody knows", () =>
    Effect.gen(function*() {
      const { code, details } = yield* sendKeyed(postJson(plan, { source: account, sourse: true }))
      const message = "is not a field of this request; the nearest one is source"
      assert.deepStrictEqual([code, details], ["invalid_body", { issues: [{ path: "sourse", message }] }])
    }))

  it.effect("must be declared as JSON in UTF-8, not compressed", () =>
    Effect.gen(function*() {
      const body = JSON.stringify({ source: account })
      for (
        const type of [
          "text/plain",
          "text/json",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
          "application/jsonx",
          "application/json; charset=latin1",
          "application/xml"
        ]
      ) {
        const { code, status } = yield* sendKeyed(post(plan, body, type))
        assert.deepStrictEqual([status, code], [415, "unsupported_media_type"], type)
      }
      for (
        const type of [
          "application/json",
          "application/json; charset=utf-8",
          "APPLICATION/JSON;charset=\"UTF-8\"",
          "application/json ; charset=utf8"
        ]
      ) {
        assert.strictEqual((yield* sendKeyed(post(plan, body, type))).code, "not_found", type)
      }
      const compressed = yield* sendKeyed(HttpClientRequest.setHeader(post(plan, body), "content-encoding", "gzip"))
      assert.strictEqual(compressed.code, "unsupported_media_type")
    }))

  it.effect("may be absent without a type", () =>
    Effect.gen(function*() {
      const { code, status } = yield* sendKeyed(HttpClientRequest.post(plan))
      assert.deepStrictEqual([status, code], [400, "invalid_body"])
    }))

  it.effect("may be 1 MiB on the close routes and 100 KiB elsewhere", () =>
    Effect.gen(function*() {
      const sized = (size: number, field: string) => {
        const frame = JSON.stringify({ source: account, decisions: [{ [field]: "" }] })
        return JSON.stringify({ source: account, decisions: [{ [field]: "x".repeat(size - frame.length) }] })
      }
      assert.strictEqual((yield* sendKeyed(post(plan, sized(1024 * 1024, "pad")))).code, "not_found")
      const large = yield* sendKeyed(post(plan, sized(1024 * 1024 + 1, "pad")))
      assert.deepStrictEqual([large.status, large.code, large.details], [413, "payload_too_large", { maxBytes: 1024 * 1024 }])
      const small = yield* sendKeyed(post("/testnet/mediator/sign", sized(100 * 1024 + 1, "pad")))
      assert.deepStrictEqual([small.status, small.code, small.details], [413, "payload_too_large", { maxBytes: 100 * 1024 }])
    }))
})

const askers: Array<Asker> = []

const waits = Effect.flatMap(Requester, (asker) => {
  askers.push(asker)
  return new ServiceBusy({ retryAfterSeconds: 7 })
})

const busy = { plan: () => waits, plans: () => Effect.succeed([{ request: { source: account }, plan: waits }]) }

layer(testHttp(busy, { RATE_LIMIT: "1000000" }))("a turn", (it) => {
  it.effect("is waited for as the owner of the key, half as long as the route may take, and service_busy says when to come back", () =>
    Effect.gen(function*() {
      const { code, headers, status } = yield* sendKeyed(postJson(plan, { source: account }))
      assert.deepStrictEqual([status, code, headers["retry-after"]], [503, "service_busy", "7"])
      const asker = askers.at(-1)
      assert.strictEqual(asker?.path[0], "operator")
      assert.strictEqual(Duration.toSeconds(asker?.deadline ?? 0), 25)
    }))

  for (const accept of ["application/json", "application/x-ndjson"]) {
    it.effect(`is waited for as the owner of the key by each plan of a batch as ${accept}`, () =>
      Effect.gen(function*() {
        const batch = postJson("/v1/testnet/close/batch-plan", { addresses: [account] })
        const { status, text } = yield* sendKeyed(HttpClientRequest.setHeader(batch, "accept", accept))
        assert.strictEqual(status, 200)
        assert.include(text, "service_busy")
        assert.strictEqual(askers.at(-1)?.path[0], "operator")
      }))
  }
})

layer(testHttp(answers, { RATE_LIMIT: "1000000" }))("a secret seed", (it) => {
  const hidden: ReadonlyArray<readonly [name: string, body: string]> = [
    ["in a field", JSON.stringify({ source: seed })],
    ["in a field nobody knows", JSON.stringify({ source: account, note: { deep: [seed] } })],
    ["as a name", JSON.stringify({ source: account, [seed]: 1 })],
    ["inside a text", JSON.stringify({ source: account, note: `my key is ${seed}, keep it` })],
    ["inside a longer run", JSON.stringify({ source: account, note: `AAAA${seed}AAAA` })],
    ["escaped", `{"source":"\\u0053${seed.slice(1)}"}`],
    ["escaped throughout", `{"source":"${[...seed].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}`],
    ["in JSON inside JSON", JSON.stringify({ source: JSON.stringify({ key: `\\u0053${seed.slice(1)}` }) })],
    ["in lower case", JSON.stringify({ source: seed.toLowerCase() })],
    ["in groups", JSON.stringify({ source: seed.match(/.{4}/g)?.join(" ") })],
    ["in a body that is no JSON", `source=${seed}`],
    ["percent encoded", JSON.stringify({ source: `%53${seed.slice(1)}` })]
  ]
  for (const [name, body] of hidden) {
    it.effect(`is refused ${name}`, () =>
      Effect.gen(function*() {
        const { code, status, text } = yield* sendKeyed(post(plan, body))
        assert.deepStrictEqual([status, code], [400, "secret_key_refused"])
        assert.notInclude(text, seed)
      }))
  }

  it.effect("is refused in path and query", () =>
    Effect.gen(function*() {
      for (
        const path of [
          `/testnet/account/${seed}`,
          `/testnet/account/${account}?tokens=${seed}`,
          `/testnet/account/${account}?${seed}=1`,
          `/testnet/account/%53${seed.slice(1)}`
        ]
      ) {
        const { code, text } = yield* sendKeyed(get(path))
        assert.strictEqual(code, "secret_key_refused", path)
        assert.notInclude(text, seed)
      }
    }))

  it.effect("is refused with each of its characters on a line of its own, also in a body that is no JSON", () =>
    Effect.gen(function*() {
      for (
        const body of [
          JSON.stringify({ source: [...seed].join("\n") }),
          `source = ${[...seed].join("\n")}`,
          JSON.stringify({ a: seed }).slice(0, -1)
        ]
      ) {
        assert.strictEqual((yield* sendKeyed(post(plan, body))).code, "secret_key_refused", body)
      }
    }))

  it.effect("is not seen in what strangers chose to name: an asset or an entry that looks like one when it is joined", () =>
    Effect.gen(function*() {
      const { code, issuer } = joinsToSeed()
      assert.isTrue(StrKey.isValidEd25519SecretSeed((code + issuer).slice(0, 56)))
      assert.isTrue(StrKey.isValidEd25519PublicKey(issuer))
      const named = `sponsorship:data_entry:${account}:${seed.match(/.{8}/g)?.join(" ") ?? ""}`
      const decisions = [`asset:${code}-${issuer}`, `claims:${code}-${issuer}`, named].map((id) => ({ id, choice: "revoke" }))
      assert.strictEqual((yield* sendKeyed(postJson(plan, { source: account, decisions }))).code, "not_found")
      const escaped = `sponsorship:data_entry:${account}:%53${seed.slice(1)}`
      assert.strictEqual(
        (yield* sendKeyed(postJson(plan, { source: account, decisions: [{ id: escaped, choice: "revoke" }] }))).code,
        "not_found"
      )
      assert.strictEqual((yield* sendKeyed(get(`/testnet/paths?fromAsset=${code}:${issuer}&amount=0`))).code, "invalid_amount")
    }))

  it.effect("is refused where it stands in such a name", () =>
    Effect.gen(function*() {
      for (const id of [`sponsorship:data_entry:${account}:${seed}`, seed.match(/.{8}/g)?.join(" ") ?? ""]) {
        assert.strictEqual(
          (yield* sendKeyed(postJson(plan, { source: account, decisions: [{ id, choice: "revoke" }] }))).code,
          "secret_key_refused",
          id
        )
      }
    }))

  it.effect("is not looked for in a long target or header of somebody without a key: that is refused as it is", () =>
    Effect.gen(function*() {
      const long = "x".repeat(9_000)
      for (
        const request of [
          get(`/config/exchange-registry?${long}${seed}`),
          get(`/health?${long}`),
          HttpClientRequest.setHeader(get("/config/exchange-registry"), "x-note", long)
        ]
      ) {
        for (const answer of [yield* send(request), yield* send(HttpClientRequest.bearerToken(request, "lk_nobody"))]) {
          assert.deepStrictEqual([answer.status, answer.code], [400, "bad_request"])
        }
      }
      assert.strictEqual((yield* send(get(`/health?${"x".repeat(8_000)}`))).status, 200)
      assert.strictEqual((yield* sendKeyed(get(`/config/exchange-registry?${long}`))).status, 200)
      assert.strictEqual((yield* sendKeyed(get(`/testnet/account/${account}?${long}${seed}`))).code, "secret_key_refused")
    }))

  it.effect("with a wrong checksum is none", () =>
    Effect.gen(function*() {
      const wrong = seed.slice(0, -1) + (seed.endsWith("A") ? "B" : "A")
      assert.strictEqual((yield* sendKeyed(postJson(plan, { source: wrong }))).code, "not_found")
    }))
})

layer(testHttp(answers, { RATE_LIMIT: "1000000" }))("the order of checks", (it) => {
  const oversize = "x".repeat(1024 * 1024 + 1)
  const unknown = "/othernet/account/x"

  it.effect("asks for the route before the key", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* send(get("/nowhere"))).code, "not_found")
      assert.strictEqual((yield* send(get(plan))).code, "method_not_allowed")
    }))

  it.effect("asks for the key before the network, the address, the size, the type and the body", () =>
    Effect.gen(function*() {
      for (
        const request of [
          get(unknown),
          get("/testnet/account/x"),
          post(plan, oversize),
          post(plan, "x", "text/plain"),
          post(plan, "{"),
          postJson(plan, { source: seed })
        ]
      ) {
        assert.strictEqual((yield* send(request)).code, "unauthorized")
      }
    }))

  it.effect("looks at the declared size before the type, and at both before the network", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* sendKeyed(post("/othernet/mediator/sign", oversize, "text/plain"))).code, "payload_too_large")
      assert.strictEqual((yield* sendKeyed(post("/othernet/mediator/sign", "{}", "text/plain"))).code, "unsupported_media_type")
    }))

  it.effect("looks at the network before the address and the body", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* sendKeyed(get(unknown))).code, "invalid_network")
      assert.strictEqual((yield* sendKeyed(get(`/othernet/account/${seed}`))).code, "invalid_network")
      assert.strictEqual((yield* sendKeyed(post("/v1/othernet/close/plan", "{"))).code, "invalid_network")
      assert.strictEqual((yield* sendKeyed(postJson("/v1/othernet/close/plan", { source: seed }))).code, "invalid_network")
    }))

  it.effect("looks at the path before the query", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* sendKeyed(get("/testnet/account/x?tokens=x"))).code, "invalid_address")
    }))

  it.effect("looks at the input before it asks whether the network is served", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* sendKeyed(get("/mainnet/account/x"))).code, "invalid_address")
      assert.strictEqual((yield* sendKeyed(post("/v1/mainnet/close/plan", "{"))).code, "invalid_body")
    }))
})
