import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { takenPort } from "../support/TakenPort.ts"
import { isThorough } from "../support/Thorough.ts"
import { closerOf } from "./support/Closer.ts"
import { ended, serviceProcess } from "./support/ServiceProcess.ts"
import { settingsFor } from "./support/Upstream.ts"

it.scopedLive.runIf(isThorough)("a process with wrong settings tells all of them, and ends with 1", () =>
  Effect.gen(function*() {
    const { child, lines } = yield* serviceProcess({ RATE_LIMIT: "many", RATELIMIT: "5" })
    assert.strictEqual(yield* ended(child), 1)
    assert.deepStrictEqual(lines.map(({ level, setting }) => [level, setting]), [["FATAL", "RATE_LIMIT"], ["FATAL", "RATELIMIT"]])
  }))

it.scopedLive.runIf(isThorough)("a process whose port is taken says so in words", () =>
  Effect.gen(function*() {
    const port = yield* takenPort
    const { child, lines } = yield* serviceProcess({ PORT: String(port), DATA_DIR: "/tmp" })
    assert.strictEqual(yield* ended(child), 1)
    const last = lines.at(-1)
    assert.strictEqual(last?.level, "FATAL")
    assert.match(String(last?.["reason"]), /^PORT is taken/)
  }))

it.scopedLive.runIf(isThorough)(
  "a process whose key store cannot be reached says which and why, in words and without its password",
  () =>
    Effect.gen(function*() {
      const { child, lines } = yield* serviceProcess({ PORT: "0", KEY_STORE_URL: "postgres://closeout:hunter2@127.0.0.1:1/keys" })
      assert.strictEqual(yield* ended(child), 1)
      const reason = String(lines.at(-1)?.["reason"])
      assert.match(reason, /^the key store postgres:\/\/127\.0\.0\.1:1\/keys cannot be used: .*ECONNREFUSED/)
      assert.notMatch(reason, /\n|hunter2| at /)
    })
)

it.scopedLive.runIf(isThorough)(
  "a process tells when it listens and when it drains, each log line of one shape, and ends with 0 when it is told to",
  () =>
    Effect.gen(function*() {
      const { child, lines, logged } = yield* serviceProcess({ PORT: "0", DATA_DIR: "/tmp" })
      const { url } = yield* logged("listening")
      assert.strictEqual((yield* Effect.promise(() => fetch(`${String(url)}/health`))).status, 200)
      child.kill("SIGTERM")
      assert.strictEqual(yield* ended(child), 0)
      const own = lines.filter(({ message }) => message === "listening" || message === "request" || message === "draining")
      assert.deepStrictEqual(own.map(({ message }) => message), ["listening", "request", "draining"])
      for (const line of lines) {
        assert.isString(line.message)
        assert.isString(line.timestamp)
        assert.notProperty(line, "fiberId")
        assert.notProperty(line, "spans")
      }
      assert.include(own[1], { method: "GET", route: "/health", status: 200, level: "INFO" })
    })
)

it.scopedLive.runIf(isThorough)(
  "a process tells at start which network runs a protocol newer than the ledger model",
  () =>
    Effect.gen(function*() {
      const { logged } = yield* serviceProcess(yield* settingsFor(yield* startSandbox({ protocolVersion: 99 })))
      const told = yield* logged("ledger protocol 99 is newer than the model (30): update this service, or its contracts file")
      assert.deepInclude(told, { level: "WARN", network: "testnet", kind: "protocol" })
    })
)

it.scopedLive("a process that is told to end answers the submit that waits for its ledger, takes nothing new, and ends with 0", () =>
  Effect.gen(function*() {
    const sandbox = yield* startSandbox({ closeOnSubmit: false })
    const { destination, source } = yield* Effect.provideService(FundedPair, Network, sandbox.network)
    const { child, logged } = yield* serviceProcess(yield* settingsFor(sandbox))
    const url = String((yield* logged("listening"))["url"])
    const closer = closerOf(url, sandbox.passphrase)
    const signed = closer.signed(yield* Effect.promise(() => closer.build(source, destination)), source)
    const answer = closer.submit(signed)
    // The network has the transaction, but no ledger does.
    yield* Effect.repeat(Effect.delay(sandbox.network.snapshot, "10 millis"), { until: ({ queue }) => queue.pending.length > 0 })
    child.kill("SIGTERM")
    yield* logged("draining")
    assert.isTrue(yield* Effect.promise(() => fetch(`${url}/health`).then(({ ok }) => !ok, () => true)))
    yield* sandbox.network.closeLedger()
    const { body, status } = yield* Effect.promise(() => answer)
    assert.deepStrictEqual([status, body["status"]], [200, "success"])
    assert.strictEqual(yield* ended(child), 0)
  }))
