import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Duration, Effect, Exit, Scope } from "effect"
import { Hang } from "../../src/sandbox/faults/Connection.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { tokenList } from "../close/leaving/tokens/support/DeclaredTokens.ts"
import { servingOf } from "../sandbox/contracts/ProtocolsServed.ts"
import { attributeOf, type CollectedSpan, collector } from "../support/Collector.ts"
import { LendingSupply } from "../support/scenarios/LendingSupply.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { startTestService } from "../support/TestService.ts"

const keys = { ann: `lk_${"a".repeat(43)}`, ben: `lk_${"b".repeat(43)}` }

const setting = { API_KEYS: Object.entries(keys).map(([owner, key]) => `${owner}=${key}`).join(",") }

describe("what two callers wait for together", () => {
  it.scopedLive("is no part of either: every line has its own request, caller and span, or none of them", () =>
    Effect.gen(function*() {
      const { layer, lines } = serviceLog()
      const { spans, url } = yield* collector
      const scope = yield* Scope.make()
      const { call, on, sandbox } = yield* startTestService(
        { ...setting, OTEL_EXPORTER_OTLP_ENDPOINT: url },
        servingOf(["lend_1"]),
        layer
      ).pipe(Scope.extend(scope))
      const { destination, source } = yield* on(LendingSupply)
      yield* sandbox.closeLedger({ advanceSeconds: 5 })
      // The shared read fails, and so does each caller's own later request: the log reports both.
      yield* sandbox.faults.set({ fault: new GarbageBody({}), rpc: "getEvents" })
      yield* sandbox.faults.set({ fault: new GarbageBody({}), rpc: "simulateTransaction" })
      const asks = (owner: keyof typeof keys) => {
        const body = { source: source.publicKey(), destination: destination.publicKey() }
        const headers = { authorization: `Bearer ${keys[owner]}` }
        return Effect.all([
          call("POST", "/v1/testnet/close/plan", body, headers),
          call("GET", `/testnet/account/${source.publicKey()}`, undefined, headers),
          call("GET", "/health/deep", undefined, headers)
        ], { concurrency: "unbounded" }).pipe(
          Effect.map((all) => all.map((answer): readonly [string, string] => [answer.headers.get("x-request-id") ?? "", owner]))
        )
      }
      const together = yield* Effect.all([asks("ann"), asks("ben")], { concurrency: "unbounded" })
      const afterwards = [yield* asks("ann"), yield* asks("ben")]
      const owners = new Map([...together, ...afterwards].flat())

      for (const line of lines) {
        const id = line.fields["requestId"]
        const told = JSON.stringify(line)
        assert.strictEqual(line.tracedRequest, id ?? null, told)
        if (id === undefined) assert.isNull(line.caller, told)
        else if (line.caller !== null) assert.strictEqual(line.caller, owners.get(String(id)), told)
      }
      const requests = lines.filter(({ text }) => text === "request").map(({ fields }) => fields["requestId"])
      assert.sameMembers(requests, [...owners.keys()])
      // The check above proves nothing without such lines.
      const shared = lines.filter(({ fields }) => fields["shared"] !== undefined)
      assert.isNotEmpty(shared)
      for (const line of shared) {
        assert.deepInclude(line, { caller: null, tracedRequest: null }, JSON.stringify(line))
        assert.notProperty(line.fields, "requestId")
        assert.include(["Discovery.look", "Announcements.scan"], line.outermost)
      }
      const within = lines.filter(({ caller, text }) => caller !== null && text === "an endpoint failed")
      // One warning a minute: that of the other caller is suppressed.
      assert.isNotEmpty(within)

      // The spans that the service exports at its end: one for each request, with its source calls and decoders below it.
      yield* Scope.close(scope, Exit.void)
      const byId = new Map(spans.map((span) => [span.spanId, span]))
      const rootOf = (span: CollectedSpan): CollectedSpan => {
        const parent = byId.get(span.parentSpanId ?? "")
        return parent === undefined ? span : rootOf(parent)
      }
      const requestSpans = spans.filter(({ name }) => name === "http.request")
      assert.sameMembers(requestSpans.map((span) => attributeOf(span, "request.id")), [...owners.keys()])
      for (const span of requestSpans) {
        assert.match(attributeOf(span, "http.response.status_code") ?? "", /^(200|50[23])$/)
        const line = lines.find(({ fields, text }) => text === "request" && fields["requestId"] === attributeOf(span, "request.id"))
        // The line counts the calls below the span.
        const calls = spans.filter((one) => attributeOf(one, "upstream.method") !== undefined && rootOf(one) === span)
        assert.strictEqual(line?.fields["upstreamCalls"], calls.length)
        assert.strictEqual(Number(line?.fields["upstreamMs"]) > 0 || calls.length === 0, true)
      }
      const decoders = spans.filter(({ name }) => name === "decoder")
      assert.include(decoders.map((span) => attributeOf(span, "protocol")), "lend_1")
      assert.isTrue(decoders.every((span) => rootOf(span).name === "http.request"))
      const simulations = spans.filter(({ name }) => name === "simulateTransaction")
      assert.isNotEmpty(simulations)
      assert.isTrue(spans.some((span) => attributeOf(span, "upstream.method") === "accounts" && span.kind === 3))
      const text = JSON.stringify(spans)
      for (const hidden of [source.publicKey(), destination.publicKey(), keys.ann, keys.ben]) assert.notInclude(text, hidden)
    }))
})

it.scopedLive("a scan of events that no request waits for does not delay the end of the service", () =>
  Effect.gen(function*() {
    const { file } = yield* tokenList
    const scope = yield* Scope.make()
    const settings = { TESTNET_TOKENS_FILE: file, EVENT_SCAN_SECONDS: "12" }
    const { call, sandbox } = yield* startTestService(settings, servingOf([])).pipe(Scope.extend(scope))
    yield* sandbox.faults.set({ fault: new Hang({}), rpc: "getEvents" })
    const { status } = yield* call("GET", `/testnet/account/${Keypair.random().publicKey()}`)
    assert.strictEqual(status, 404)
    const [took] = yield* Effect.timed(Scope.close(scope, Exit.void))
    assert.isBelow(Duration.toSeconds(took), 4)
  }))
