import { HttpApi, HttpServer } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Context, Effect, FastCheck, Redacted } from "effect"
import { request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { Api } from "../../src/api/Api.ts"
import { CarriesSecret } from "../../src/api/RouteLimits.ts"
import { AccountNotFound } from "../../src/domain/failure/Request.ts"
import { codingFor } from "../../src/http/wire/ContentCoding.ts"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { layer } from "../support/Layered.ts"
import { testHttp } from "../support/TestHttp.ts"
import { startTestService, withAccounts } from "../support/TestService.ts"

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly bytes: Buffer
  /** Bytes of the body as its pieces arrived. */
  readonly pieces: ReadonlyArray<Buffer>
}

/** A request of Node's own client, which decodes no content coding. */
const raw = (
  url: string,
  { body, headers = {}, method = "GET" }: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } =
    {}
) =>
  Effect.async<Raw>((resume) => {
    const sent = request(url, { method, headers }, (response) => {
      const pieces: Array<Buffer> = []
      response.on("data", (piece: Buffer) => void pieces.push(piece))
      response.on("end", () =>
        resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces), pieces })))
    })
    sent.on("error", (problem) =>
      resume(Effect.die(problem)))
    sent.end(body)
  })

const plainOf = ({ bytes, headers }: Raw): string => {
  switch (headers["content-encoding"]) {
    case "br":
      return brotliDecompressSync(bytes).toString()
    case "gzip":
      return gunzipSync(bytes).toString()
    default:
      return bytes.toString()
  }
}

const origin = Effect.map(HttpServer.HttpServer, ({ address }) => {
  assert(address._tag === "TcpAddress")
  return `http://localhost:${address.port}`
})

describe("the coding of an answer", () => {
  it("is the one that the client likes best", () => {
    const cases: ReadonlyArray<readonly [string | undefined, string]> = [
      [undefined, "identity"],
      ["", "identity"],
      ["gzip", "gzip"],
      ["x-gzip", "gzip"],
      ["GZip, deflate", "gzip"],
      ["gzip, deflate, br, zstd", "br"],
      ["gzip;q=1.0, br;q=0.5", "gzip"],
      ["gzip ; Q=0.2 , br;q=0.1", "gzip"],
      ["br;q=0, *", "gzip"],
      ["br;q=0, gzip;q=0, *", "identity"],
      ["*", "br"],
      ["*;q=0", "identity"],
      ["identity", "identity"],
      ["identity;q=1, gzip;q=0.5", "identity"],
      ["identity;q=0.5, gzip;q=1", "gzip"],
      ["gzip;q=0.000", "identity"],
      ["gzip;q=2", "identity"],
      ["gzip;q=much", "identity"],
      ["deflate, zstd", "identity"],
      [",,;;q=,", "identity"]
    ]
    for (const [header, expected] of cases) assert.strictEqual(codingFor(header), expected, String(header))
  })

  it("is never one that was refused, whatever the header is", () => {
    FastCheck.assert(FastCheck.property(FastCheck.string(), (header) => {
      const coding = codingFor(header)
      if (coding !== "identity") assert.match(header.toLowerCase(), coding === "br" ? /br|\*/ : /gzip|\*/)
    }))
  })

  it("is none on exactly the routes that answer with a key or a token", () => {
    const marked: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { annotations, method, path } }) => {
        if (Context.get(annotations, CarriesSecret)) marked.push(`${method} ${path}`)
      }
    })
    assert.deepStrictEqual(marked, [
      "POST /keys/session",
      "POST /keys/mine",
      "POST /keys/mine/:id/rotate",
      "POST /close/session",
      "POST /admin/api-keys",
      "POST /admin/api-keys/:id/rotate"
    ])
  })
})

const account = Keypair.random().publicKey()

const longRefusal = { read: () => Effect.fail(new AccountNotFound({ address: account.repeat(40) })) }

layer(testHttp(longRefusal, { RATE_LIMIT: "1000000", CORS_ORIGINS: "*" }))("an answer over HTTP", (it) => {
  it.effect("goes out in the coding that was asked for, is the same in each, and says that it depends on the header", () =>
    Effect.gen(function*() {
      const url = yield* origin
      const key = Redacted.value(yield* GeneratedKey)
      const paths = ["/openapi.json", "/docs", "/docs/errors.md", "/llms.txt", `/testnet/account/${account}`]
      for (const path of paths) {
        const texts: Array<string> = []
        const sizes: Array<number> = []
        for (const coding of ["identity", "gzip", "br"]) {
          const answer = yield* raw(`${url}${path}`, { headers: { "accept-encoding": coding, authorization: `Bearer ${key}` } })
          assert.strictEqual(answer.headers["content-encoding"], coding === "identity" ? undefined : coding, path)
          assert.strictEqual(Number(answer.headers["content-length"]), answer.bytes.length, path)
          assert.include(String(answer.headers["vary"]).split(", "), "Accept-Encoding", path)
          texts.push(plainOf(answer).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id"))
          sizes.push(answer.bytes.length)
        }
        assert.deepStrictEqual([texts[1], texts[2]], [texts[0], texts[0]], path)
        assert.isBelow(Math.max(...sizes.slice(1)), (sizes[0] ?? 0) / 1.5, path)
      }
    }))

  it.effect("that is short goes out as it is; a page of another origin keeps its own Vary", () =>
    Effect.gen(function*() {
      const url = yield* origin
      const headers = { "accept-encoding": "br, gzip", origin: "https://example.com" }
      const { headers: got } = yield* raw(`${url}/health`, { headers })
      assert.deepStrictEqual([got["content-encoding"], got["vary"]], [undefined, "Accept-Encoding, Origin"])
    }))

  it.effect("to HEAD has the headers of GET and no body", () =>
    Effect.gen(function*() {
      const url = yield* origin
      for (const coding of ["identity", "gzip", "br"]) {
        const told = Effect.fnUntraced(function*(method: string) {
          const { bytes, headers: { date: _date, "ratelimit-remaining": _left, "x-request-id": _id, ...rest } } = yield* raw(
            `${url}/openapi.json`,
            { method, headers: { "accept-encoding": coding } }
          )
          return { bytes: bytes.length, rest }
        })
        const [head, whole] = [yield* told("HEAD"), yield* told("GET")]
        assert.strictEqual(head.bytes, 0)
        assert.deepStrictEqual(head.rest, whole.rest)
      }
    }))

  it.effect("that may be kept has a tag for each coding, and each tag is known again in every coding", () =>
    Effect.gen(function*() {
      const url = yield* origin
      const tags = yield* Effect.forEach(["identity", "gzip", "br"], (coding) =>
        Effect.map(raw(`${url}/docs`, { headers: { "accept-encoding": coding } }), ({ headers }) => String(headers["etag"])))
      assert.strictEqual(new Set(tags).size, 3)
      for (const known of tags) {
        const again = yield* raw(`${url}/docs`, { headers: { "accept-encoding": "gzip", "if-none-match": known } })
        assert.deepStrictEqual(
          [again.status, again.bytes.length, again.headers["etag"], again.headers["content-encoding"]],
          [304, 0, tags[1], undefined]
        )
        assert.include(String(again.headers["vary"]), "Accept-Encoding")
      }
    }))
})

it.scopedLive("a plan is compressed; a batch line by line brings each line as it is ready; a key never is compressed", () =>
  Effect.gen(function*() {
    const token = "x".repeat(40)
    const { key, prepared: [first], url } = yield* startTestService({ ADMIN_TOKEN: token }, withAccounts)
    const source = first?.source.publicKey() ?? assert.fail("no account is prepared")
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const plan = (coding: string) =>
      raw(`${url}/v1/testnet/close/plan`, {
        method: "POST",
        headers: { ...headers, "accept-encoding": coding },
        body: JSON.stringify({ source })
      })
    const [plain, small] = [yield* plan("identity"), yield* plan("br")]
    assert.deepStrictEqual(JSON.parse(plainOf(small)).planHash, JSON.parse(plainOf(plain)).planHash)
    assert.isBelow(small.bytes.length, plain.bytes.length / 3)

    for (const coding of ["identity", "gzip", "br"]) {
      const batch = yield* raw(`${url}/v1/testnet/close/batch-plan`, {
        method: "POST",
        headers: { ...headers, accept: "application/x-ndjson", "accept-encoding": coding },
        body: JSON.stringify({ addresses: [source, Keypair.random().publicKey(), Keypair.random().publicKey()] })
      })
      assert.strictEqual(batch.headers["content-encoding"], coding === "identity" ? undefined : coding)
      const lines = plainOf(batch).trim().split("\n").map((line) => JSON.parse(line))
      assert.lengthOf(lines, 3)
      assert.isAtLeast(batch.pieces.length, 2, "lines wait for one another")
    }

    const issued = yield* raw(`${url}/admin/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "accept-encoding": "br, gzip" },
      body: JSON.stringify({ owner: "somebody" })
    })
    assert.deepStrictEqual([issued.status, issued.headers["content-encoding"], issued.headers["vary"]], [201, undefined, undefined])
    assert.match(JSON.parse(plainOf(issued)).key, /^lk_/)
  }))
