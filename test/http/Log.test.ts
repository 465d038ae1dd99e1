import { HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair, StrKey } from "@stellar/stellar-sdk"
import { Cause, Console, Effect, HashMap, Layer, Logger, Redacted, Tracer } from "effect"
import { inspect } from "node:util"
import { AccountNotFound } from "../../src/domain/failure/Request.ts"
import { masked } from "../../src/domain/MaskedAddress.ts"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { jsonLine, prettyLines } from "../../src/serving/Logging.ts"
import { get, post, postJson, send, sendKeyed, testHttp } from "../support/TestHttp.ts"

const account = Keypair.random().publicKey()
const seed = Keypair.random().secret()

interface Line {
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly spans: ReadonlyArray<string>
}

/** Collects the service's log lines and spans. */
const recording = () => {
  const lines: Array<Line> = []
  const spans: Array<Tracer.Span> = []
  const logger = Logger.make(({ annotations, cause, message }) => {
    const parts = Array.isArray(message) ? message : [message]
    lines.push({
      text: [...parts.filter((part) => typeof part === "string"), cause].join(" "),
      fields: Object.assign(Object.fromEntries(HashMap.entries(annotations)), ...parts.filter((part) => typeof part === "object")),
      spans: []
    })
  })
  const tracer = Tracer.make({
    span: (...parameters) => {
      const span = native.span(...parameters)
      spans.push(span)
      return span
    },
    context: (run, fiber) => native.context(run, fiber)
  })
  return { lines, spans, layer: Layer.merge(Logger.replace(Logger.defaultLogger, logger), Layer.setTracer(tracer)) }
}

const native = Effect.runSync(Effect.tracer)

const stubs = {
  read: (address: string) => Effect.zipRight(Effect.logInfo("reading"), Effect.fail(new AccountNotFound({ address }))),
  plan: () => Effect.die(new Error("a fault in the planner"))
}

describe("log", () => {
  it.effect("has one line a request, with the template in place of the path", () => {
    const { layer, lines } = recording()
    return Effect.gen(function*() {
      const { headers } = yield* sendKeyed(get(`/testnet/account/${account}?tokens=${StrKey.encodeContract(Buffer.alloc(32, 7))}`))
      const line = lines.find(({ text }) => text.startsWith("request"))
      assert.deepInclude(line?.fields, {
        method: "GET",
        route: "/:network/account/:address",
        status: 404,
        code: "not_found",
        keyId: "generated",
        durationMs: 0,
        upstreamCalls: 0,
        upstreamMs: 0,
        requestId: headers["x-request-id"]
      })
      const inner = lines.find(({ text }) => text.startsWith("reading"))
      assert.strictEqual(inner?.fields["requestId"], headers["x-request-id"])
      yield* send(get("/not/a/route/at/all"))
      assert.deepInclude(lines.at(-1)?.fields, { route: "none", status: 404, keyId: null })
    }).pipe(Effect.provide(testHttp(stubs).pipe(Layer.provide(layer))))
  })

  it.effect("tells the cause of a fault that the answer hides", () => {
    const { layer, lines } = recording()
    return Effect.gen(function*() {
      const { headers, status } = yield* sendKeyed(postJson("/v1/testnet/close/plan", { source: account }))
      assert.strictEqual(status, 500)
      const line = lines.find(({ text }) => text.includes("a fault in the planner"))
      assert.strictEqual(line?.fields["requestId"], headers["x-request-id"])
    }).pipe(Effect.provide(testHttp(stubs).pipe(Layer.provide(layer))))
  })

  it.effect("and spans hold no key, seed, address, query, body or client address", () => {
    const { layer, lines, spans } = recording()
    return Effect.gen(function*() {
      const key = Redacted.value(yield* GeneratedKey)
      const marked = HttpClientRequest.setHeader("user-agent", "marked-agent")
      yield* sendKeyed(marked(get(`/testnet/account/${account}?marked=query`)))
      yield* sendKeyed(marked(get(`/testnet/account/${seed}`)))
      yield* sendKeyed(marked(postJson("/v1/testnet/close/plan", { source: account, note: seed })))
      yield* sendKeyed(marked(post("/v1/testnet/close/plan", `{"marked": "body"`)))
      yield* sendKeyed(marked(postJson("/v1/testnet/close/plan", { source: account, memo: "marked-memo" })))
      yield* send(HttpClientRequest.bearerToken(get("/marked-path"), "marked-key"))
      assert.isNotEmpty(spans)
      const ours = spans.filter(({ name }) => !name.startsWith("http.client"))
      assert.includeMembers(ours.map(({ name }) => name), ["http.request"])
      const all = JSON.stringify([lines, ours.map((span) => [span.name, [...span.attributes]])])
      for (const hidden of [key, key.slice(3), seed, account, "marked", "127.0.0.1"]) assert.notInclude(all, hidden)
    }).pipe(Effect.provide(testHttp(stubs).pipe(Layer.provide(layer))))
  })

  const told = Effect.zipRight(
    Effect.annotateLogs(Effect.logInfo(`${account} is read`, { seed }), { address: account }),
    Effect.logError("broken", Cause.die(new Error(`with ${account} and ${seed}`)))
  )

  it("on a terminal shows no address of an account and no seed in full either", () => {
    const shown: Array<unknown> = []
    const hearing = Effect.map(Effect.console, (console) =>
      Console.setConsole({
        ...console,
        unsafe: { ...console.unsafe, error: (...parts: ReadonlyArray<unknown>) => void shown.push(...parts), group: () => {} }
      }))
    const layer = Layer.merge(Logger.replace(Logger.defaultLogger, prettyLines), Layer.unwrapEffect(hearing))
    Effect.runSync(Effect.provide(told, layer))
    const all = shown.map((part) => inspect(part)).join("\n")
    for (const part of [`${masked(account)} is read`, "S...", "address", "broken", `with ${masked(account)} and S...`]) {
      assert.include(all, part)
    }
    for (const hidden of [account, seed]) assert.notInclude(all, hidden)
  })

  it("has one shape in JSON, and shows no address of an account and no seed in full, whoever wrote the line", () => {
    const lines: Array<string> = []
    const capturing = Logger.replace(Logger.defaultLogger, Logger.map(jsonLine, (line) => lines.push(line)))
    Effect.runSync(Effect.provide(told, capturing))
    const [first, second] = lines.map((line) => JSON.parse(line))
    const short = masked(account)
    assert.deepInclude(first, { level: "INFO", message: `${short} is read`, address: short, seed: "S..." })
    assert.deepInclude(second, { level: "ERROR", message: "broken" })
    assert.include(second.cause, `with ${short} and S...`)
    for (const hidden of [account, seed]) assert.notInclude(lines.join("\n"), hidden)
  })

  it.effect("has a span for each request with its id", () => {
    const { layer, spans } = recording()
    return Effect.gen(function*() {
      const { headers } = yield* send(get("/health"))
      const span = spans.find(({ name }) => name === "http.request")
      assert.strictEqual(span?.attributes.get("request.id"), headers["x-request-id"])
      assert.strictEqual(span?.attributes.get("http.route"), "/health")
    }).pipe(Effect.provide(testHttp(stubs).pipe(Layer.provide(layer))))
  })
})
