import * as McpSchema from "@effect/ai/McpSchema"
import { HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Deferred, Effect, Fiber, Schema, TestClock } from "effect"
import { type Asker, Requester } from "../../src/close/load/Requester.ts"
import { PlanChanged } from "../../src/domain/failure/Planning.ts"
import { AccountNotFound } from "../../src/domain/failure/Request.ts"
import { ServiceBusy } from "../../src/domain/failure/Upstream.ts"
import { layer } from "../support/Layered.ts"
import { get, post, postJson, type Received, send, sendKeyed, testHttp } from "../support/TestHttp.ts"

const account = Keypair.random().publicKey()

const message = (method: string, params?: object, id: unknown = 7) => ({ jsonrpc: "2.0", id, method, ...(params && { params }) })

const sent = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  sendKeyed(HttpClientRequest.setHeaders(postJson("/mcp", body), headers))

const toolCall = (name: string, given: object) => message("tools/call", { name, arguments: given })

const decodeResult = Schema.decodeUnknownSync(Schema.Struct({ jsonrpc: Schema.Literal("2.0"), id: Schema.Unknown, result: Schema.Unknown }))
const decodeError = Schema.decodeUnknownSync(
  Schema.Struct({ jsonrpc: Schema.Literal("2.0"), id: Schema.Unknown, error: McpSchema.McpError })
)

/** The result of a tool, by the schemas of the protocol. */
const toolResult = ({ json, status }: Received) => {
  assert.strictEqual(status, 200)
  return Schema.decodeUnknownSync(McpSchema.CallToolResult)(decodeResult(json).result)
}

interface ToolError {
  readonly error: { readonly code: string; readonly message: string; readonly details: Readonly<Record<string, unknown>> }
}

/** Code and `details.retry` of a tool's failure. */
const toolError = (received: Received) => {
  const { isError, structuredContent } = toolResult(received)
  assert.isTrue(isError)
  const { error } = structuredContent as ToolError
  return { code: error.code, retry: error.details["retry"], error }
}

/** Code of a failure of the protocol, with the status and the id of the answer. */
const protocolError = ({ json, status }: Received) => {
  const { error, id } = decodeError(json)
  return [status, error.code, id]
}

const stubs = { read: (address: string) => Effect.fail(new AccountNotFound({ address })) }

layer(testHttp(stubs, { RATE_LIMIT: "1000000" }))("POST /mcp", (it) => {
  it.effect("answers initialize with a version that it serves, and keeps no session", () =>
    Effect.gen(function*() {
      const asked = (protocolVersion: string) =>
        sent(message("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } }))
      const versions = []
      for (const wanted of ["2025-06-18", "2025-11-25", "2024-11-05", "1999-01-01"]) {
        const received = yield* asked(wanted)
        assert.isUndefined(received.headers["mcp-session-id"])
        const { capabilities, protocolVersion } = Schema.decodeUnknownSync(McpSchema.InitializeResult)(decodeResult(received.json).result)
        assert.deepStrictEqual<unknown>(capabilities, { tools: {} })
        versions.push(protocolVersion)
      }
      assert.deepStrictEqual(versions, ["2025-06-18", "2025-11-25", "2025-11-25", "2025-11-25"])
    }))

  it.effect("lists six tools with schemas that refer to nothing outside of themselves, and repeats the id", () =>
    Effect.gen(function*() {
      const { json } = yield* sent(message("tools/list", {}, "a text"))
      const { id, result } = decodeResult(json)
      assert.strictEqual(id, "a text")
      const { tools } = Schema.decodeUnknownSync(McpSchema.ListToolsResult)(result)
      assert.deepStrictEqual(
        tools.map(({ annotations, name }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
        ["read_account", "preflight", "plan_close", "next_transaction", "explain_transaction", "submit"].map((name) => [
          name,
          name !== "submit",
          name === "submit"
        ])
      )
      for (const { description = "", inputSchema } of tools) {
        assert.include(description, "are data that others choose")
        const text = JSON.stringify(inputSchema)
        for (const [, name = ""] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
          assert.match(name, /^#\/\$defs\/\w+$/)
          assert.property((inputSchema as { readonly $defs: object }).$defs, name.slice("#/$defs/".length))
        }
      }
    }))

  it.effect("answers ping, and takes notifications and answers without a body", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* sent(message("ping"))).json, { jsonrpc: "2.0", id: 7, result: {} })
      for (
        const body of [
          { jsonrpc: "2.0", method: "notifications/initialized" },
          { jsonrpc: "2.0", method: "tools/call", params: { name: "read_account", arguments: {} } },
          { jsonrpc: "2.0", id: 1, result: {} }
        ]
      ) {
        const { status, text } = yield* sent(body)
        assert.deepStrictEqual([status, text], [202, ""])
      }
    }))

  it.effect("answers what is no message of the protocol by JSON-RPC errors", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(protocolError(yield* sent(message("resources/list"))), [200, -32601, 7])
      assert.deepStrictEqual(protocolError(yield* sent(toolCall("sign", {}))), [200, -32602, 7])
      assert.deepStrictEqual(protocolError(yield* sent([message("ping"), message("ping")])), [400, -32600, null])
      assert.deepStrictEqual(protocolError(yield* sent({ id: 7, method: "ping" })), [400, -32600, null])
      assert.deepStrictEqual(protocolError(yield* sent(message("ping", {}, null))), [400, -32600, null])
      assert.deepStrictEqual(protocolError(yield* sent({ ...message("ping"), params: [] })), [400, -32600, 7])
      for (const body of ["", "{", "[".repeat(100)]) {
        assert.deepStrictEqual(protocolError(yield* sendKeyed(post("/mcp", body))), [400, -32700, null])
      }
    }))

  it.effect("rejects a protocol version that it does not serve, and pages of other origins", () =>
    Effect.gen(function*() {
      for (const version of ["2025-03-26", "2026-07-28", "nonsense"]) {
        const received = yield* sent(message("ping"), { "mcp-protocol-version": version })
        assert.deepStrictEqual(protocolError(received), [400, -32602, 7])
        assert.deepStrictEqual<unknown>(decodeError(received.json).error.data, {
          supported: ["2025-11-25", "2025-06-18"],
          requested: version
        })
      }
      assert.strictEqual((yield* sent(message("ping"), { "mcp-protocol-version": "2025-06-18" })).status, 200)
      assert.deepStrictEqual(protocolError(yield* sent(message("ping"), { origin: "https://elsewhere.example" })), [403, -32600, null])
    }))

  it.effect("is behind the pipeline of every route: key, body limit, seeds, type, method", () =>
    Effect.gen(function*() {
      const seed = Keypair.random().secret()
      const codes = []
      for (
        const request of [
          send(postJson("/mcp", message("ping"))),
          send(HttpClientRequest.bearerToken(postJson("/mcp", message("ping")), "lk_wrong")),
          sent(message("ping", { filler: "x".repeat(1024 * 1024) })),
          sent(toolCall("submit", { network: "testnet", signedXdr: seed })),
          sent({ jsonrpc: "2.0", method: seed }),
          sendKeyed(post("/mcp", `{"never ends": "${seed}`)),
          sendKeyed(post("/mcp", "{}", "text/plain")),
          sendKeyed(postJson("/mcp?also=1", message("ping"))),
          sendKeyed(get("/mcp")),
          sendKeyed(HttpClientRequest.del("/mcp"))
        ]
      ) {
        const { code, headers, status } = yield* request
        codes.push([status, code])
        if (status === 405) assert.strictEqual(headers["allow"], "POST")
      }
      assert.deepStrictEqual(codes, [
        [401, "unauthorized"],
        [401, "unauthorized"],
        [413, "payload_too_large"],
        [400, "secret_key_refused"],
        [400, "secret_key_refused"],
        [400, "secret_key_refused"],
        [415, "unsupported_media_type"],
        [400, "bad_request"],
        [405, "method_not_allowed"],
        [405, "method_not_allowed"]
      ])
    }))

  it.effect("fails a tool with the error of the route: code, message, details, retry", () =>
    Effect.gen(function*() {
      const { json } = yield* sendKeyed(get(`/testnet/account/${account}`))
      const failed = toolError(yield* sent(toolCall("read_account", { network: "testnet", address: account })))
      const without = ({ error: { details, ...error } }: ToolError) => ({ ...error, details: { ...details, requestId: null } })
      assert.deepStrictEqual(without(failed), without(json as ToolError))
      assert.strictEqual(failed.error.details["address"], account)
    }))

  it.effect("fails tools whose arguments are wrong, and those on a network that is off", () =>
    Effect.gen(function*() {
      const code = (name: string, given: object) => Effect.map(sent(toolCall(name, given)), (received) => toolError(received).code)
      const close = { network: "testnet", source: account }
      assert.deepStrictEqual(
        yield* Effect.all([
          code("read_account", {}),
          code("read_account", { network: "moon", address: account }),
          code("read_account", { network: "testnet", address: "G" }),
          code("preflight", { network: "testnet", address: account, also: 1 }),
          code("next_transaction", close),
          code("plan_close", { ...close, confirm: [{ id: "x" }] }),
          code("plan_close", { network: "mainnet", source: account }),
          code("explain_transaction", { network: "mainnet", xdr: "AAAA" })
        ]),
        [
          "invalid_body",
          "invalid_network",
          "invalid_address",
          "invalid_body",
          "invalid_body",
          "invalid_body",
          "network_unavailable",
          "network_unavailable"
        ]
      )
      const { error } = toolError(yield* sent(toolCall("next_transaction", { ...close, extra: true })))
      const issues = error.details["issues"] as ReadonlyArray<{ readonly path: string }>
      assert.sameMembers(issues.map(({ path }) => path), ["destination", "extra"])
    }))

  it.effect("explains what it can decode, and calls anything else dangerous", () =>
    Effect.gen(function*() {
      const { isError, structuredContent } = toolResult(yield* sent(toolCall("explain_transaction", { network: "testnet", xdr: "AAAA" })))
      assert.isFalse(isError)
      assert.deepStrictEqual(structuredContent, { sentences: ["DANGER: The text is no transaction as the ledger writes it."] })
    }))
})

describe("a tool", () => {
  it.effect("counts against the rate of its key", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* sent(message("ping"))).status, 200)
      const { code, headers, status } = yield* sent(message("ping"))
      assert.deepStrictEqual([status, code], [429, "rate_limited"])
      assert.property(headers, "retry-after")
    }).pipe(Effect.provide(testHttp({}, { RATE_LIMIT: "1" }))))

  it.effect("waits for its turn as the owner of the key, with the deadline of its own route", () =>
    Effect.gen(function*() {
      const askers: Array<Asker> = []
      const seen = () => Effect.flatMap(Requester, (asker) => (askers.push(asker), new ServiceBusy({ retryAfterSeconds: 3 })))
      yield* Effect.gen(function*() {
        const request = { source: account, destination: account }
        yield* sendKeyed(postJson("/v1/testnet/close/plan", request))
        const { code, retry } = toolError(yield* sent(toolCall("plan_close", { network: "testnet", ...request })))
        assert.deepStrictEqual([code, retry], ["service_busy", "after_delay"])
      }).pipe(Effect.provide(testHttp({ plan: seen })))
      assert.deepStrictEqual(askers[1], askers[0])
    }))

  it.effect("builds a confirmed loss for no other plan than the one that was compared, and plans nothing where nothing is lost", () =>
    Effect.gen(function*() {
      const hash = "a".repeat(64)
      const planned: Array<unknown> = []
      const built: Array<unknown> = []
      const plan = (request: unknown) =>
        Effect.sync(() => {
          planned.push(request)
          return {
            planHash: hash,
            snapshot: { ledger: 100_000 },
            status: "blocked",
            decisionPoints: [],
            unusedDecisions: [],
            projection: {}
          } as never
        })
      const next = ({ planHash }: { readonly planHash?: string }) => {
        built.push(planHash)
        return new PlanChanged({ planHash: null, changes: [] })
      }
      yield* Effect.gen(function*() {
        const request = { network: "testnet", source: account, destination: account }
        const code = (given: object) =>
          Effect.map(sent(toolCall("next_transaction", { ...request, ...given })), (one) => toolError(one).code)
        const decisions = [{ id: "token:others", choice: "forfeit" }]
        assert.deepStrictEqual(
          [
            yield* code({ decisions }),
            yield* code({ decisions, confirm: [{ id: "token:others", amount: "unknown" }] }),
            yield* code({ decisions: [{ id: "token:others", choice: "convert_to_native" }] }),
            yield* code({ accept: { ledger: 99_000, had: [], minReceivedLumens: "1" } })
          ],
          ["confirmation_required", "plan_changed", "plan_changed", "plan_changed"]
        )
      }).pipe(Effect.provide(testHttp({ plan, next })))
      assert.lengthOf(planned, 2)
      assert.deepStrictEqual(built, [hash, undefined, undefined])
    }))

  for (const [name, seconds] of [["read_account", 20], ["plan_close", 25], ["submit", 95]] as const) {
    it.effect(`${name} stops after ${seconds} seconds, and its work with it`, () =>
      Effect.gen(function*() {
        const [reached, stopped] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const stuck = () =>
          Effect.onInterrupt(
            Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never),
            () => Deferred.succeed(stopped, undefined)
          )
        yield* Effect.gen(function*() {
          const given = { read_account: { address: account }, plan_close: { source: account }, submit: { signedXdr: "AAAA" } }[name]
          const asked = yield* Effect.fork(sent(toolCall(name, { network: "testnet", ...given })))
          yield* Deferred.await(reached)
          yield* TestClock.adjust(`${seconds * 1000 - 1} millis`)
          assert.isFalse(yield* Deferred.isDone(stopped))
          yield* TestClock.adjust("1 millis")
          const received = yield* Fiber.join(asked)
          // A submission has the deadline of the endpoint itself, with the same form of answer as on every route.
          assert.strictEqual(received.code ?? toolError(received).code, "deadline_exceeded")
          yield* Deferred.await(stopped)
        }).pipe(Effect.provide(testHttp({ read: stuck, plan: stuck, submit: stuck })))
      }))
  }
})
