import { HttpServer } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Logger, Redacted, Schema, Scope } from "effect"
import { everyRouteFailures } from "../../src/api/RouteFailures.ts"
import { AccountNotFound } from "../../src/domain/failure/Request.ts"
import { ServiceBusy } from "../../src/domain/failure/Upstream.ts"
import * as Listener from "../../src/http/Listener.ts"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { answers, chunk, head, statuses } from "../support/RawHttp.ts"
import { rawSocket } from "../support/RawSocket.ts"
import { http, settings, type Stubs } from "../support/TestHttp.ts"

const account = Keypair.random().publicKey()
const uuid = /x-request-id: [0-9a-f]{8}-[0-9a-f-]{27}/i

/** The service on a loopback port of its own, until the scope closes. */
const serving = (stubs: Stubs = {}) =>
  Effect.gen(function*() {
    const listener = Listener.layer.pipe(Layer.provide(settings({ PORT: "0" })))
    const quiet = Logger.remove(Logger.defaultLogger)
    const context = yield* Layer.build(Layer.fresh(http(stubs).pipe(Layer.provideMerge(listener), Layer.provide(quiet))))
    const { address } = Context.get(context, HttpServer.HttpServer)
    return { port: address._tag === "TcpAddress" ? address.port : 0, key: Redacted.value(Context.get(context, GeneratedKey)) }
  })

describe("on the wire", () => {
  it.scopedLive("a chunked body over the limit is answered 413, and the connection lives on", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serving()
      const socket = yield* rawSocket(port)
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "transfer-encoding": "chunked" }
      yield* socket.write(head("POST", "/testnet/mediator/sign", headers))
      for (let sent = 0; sent < 8; sent++) yield* socket.write(chunk("x".repeat(64 * 1024)))
      yield* socket.write("0\r\n\r\n")
      const received = yield* socket.until(answers(1))
      assert.deepStrictEqual(statuses(received), ["413"])
      assert.include(received, "\"code\":\"payload_too_large\"")
      yield* socket.write(head("GET", "/health", {}))
      assert.deepStrictEqual(statuses(yield* socket.until(answers(2))), ["413", "200"])
    }))

  it.scopedLive("the answer comes before the body has ended", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serving()
      const socket = yield* rawSocket(port)
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "transfer-encoding": "chunked" }
      yield* socket.write(head("POST", "/testnet/mediator/sign", headers))
      yield* socket.write(chunk("x".repeat(101 * 1024)))
      assert.deepStrictEqual(statuses(yield* socket.until(answers(1))), ["413"])
    }))

  it.scopedLive("a chunked body within the limit is read", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serving({ plan: () => Effect.fail(new AccountNotFound({ address: account })) })
      const socket = yield* rawSocket(port)
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "transfer-encoding": "chunked" }
      yield* socket.write(head("POST", "/v1/testnet/close/plan", headers))
      for (const piece of ["{\"sou", "rce\":\"", account, "\"}"]) yield* socket.write(chunk(piece))
      yield* socket.write("0\r\n\r\n")
      assert.deepStrictEqual(statuses(yield* socket.until(answers(1))), ["404"])
    }))

  it.scopedLive("an absolute target, no host and an unknown expectation are answered", () =>
    Effect.gen(function*() {
      const { port } = yield* serving()
      const socket = yield* rawSocket(port)
      yield* socket.write(head("GET", "http://elsewhere.example.com/health?x=1#y", {}))
      yield* socket.until(answers(1))
      yield* socket.write("GET /health HTTP/1.1\r\n\r\n")
      yield* socket.until(answers(2))
      yield* socket.write(head("GET", "/health", { expect: "the unexpected" }))
      assert.deepStrictEqual(statuses(yield* socket.until(answers(3))), ["200", "200", "200"])
      yield* socket.write(head("OPTIONS", "*", {}))
      const received = yield* socket.until(answers(4))
      assert.strictEqual(statuses(received).at(-1), "404")
    }))

  it.scopedLive("an offer to change the protocol is passed over", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serving({ plan: () => Effect.fail(new AccountNotFound({ address: account })) })
      const socket = yield* rawSocket(port)
      const body = JSON.stringify({ source: account })
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-length": String(body.length),
        connection: "Upgrade, HTTP2-Settings",
        upgrade: "h2c",
        "http2-settings": "AAMAAABkAAQAAP__"
      }
      yield* socket.write(head("POST", "/v1/testnet/close/plan", headers) + body)
      assert.deepStrictEqual(statuses(yield* socket.until(answers(1))), ["404"])
    }))

  it.scopedLive("what is no HTTP gets the envelope", () =>
    Effect.gen(function*() {
      const { port } = yield* serving()
      for (
        const bytes of [
          "nonsense\r\n\r\n",
          head("GET", "/health", { "x-long": "x".repeat(20_000) }),
          "GET /health HTTP/1.1\r\nbad header\r\n\r\n"
        ]
      ) {
        const socket = yield* rawSocket(port)
        yield* socket.write(bytes)
        const received = yield* socket.closed
        assert.deepStrictEqual(statuses(received), ["400"])
        assert.include(received, "{\"error\":{\"code\":\"bad_request\",\"message\":")
        assert.match(received, uuid)
        assert.include(received.toLowerCase(), "cache-control: no-store")
      }
    }))

  it.scopedLive("who hangs up has the work stopped", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const { key, port } = yield* serving({
        read: () =>
          Effect.onInterrupt(
            Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never),
            () => Deferred.succeed(stopped, undefined)
          )
      })
      const socket = yield* rawSocket(port)
      yield* socket.write(head("GET", `/testnet/account/${account}`, { authorization: `Bearer ${key}` }))
      yield* Deferred.await(reached)
      yield* socket.hangUp
      yield* Deferred.await(stopped)
    }))

  it.scopedLive("who hangs up in the middle of a body harms nobody", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serving()
      const cut = yield* rawSocket(port)
      yield* cut.write(
        head("POST", "/v1/testnet/close/plan", {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "content-length": "1000"
        }) + "{"
      )
      yield* cut.hangUp
      const other = yield* rawSocket(port)
      yield* other.write(head("GET", "/health", {}))
      assert.deepStrictEqual(statuses(yield* other.until(answers(1))), ["200"])
    }))
})

describe("draining", () => {
  it.scopedLive("finishes what is in flight, answers late requests 503, and takes no new connection", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const scope = yield* Scope.make()
      const { key, port } = yield* Scope.extend(
        serving({
          read: (address) =>
            Effect.zipRight(
              Deferred.succeed(reached, undefined),
              Effect.zipRight(Deferred.await(release), Effect.fail(new AccountNotFound({ address })))
            )
        }),
        scope
      )
      const idle = yield* rawSocket(port)
      yield* idle.write(head("GET", "/health", {}))
      yield* idle.until(answers(1))
      const busy = yield* rawSocket(port)
      yield* busy.write(head("GET", `/testnet/account/${account}`, { authorization: `Bearer ${key}` }))
      yield* Deferred.await(reached)
      const late = yield* rawSocket(port)
      yield* late.write("GET /health HTTP/1.1\r\nhost: localhost\r\n")
      const silent = yield* rawSocket(port)
      // This answer shows that the server has read the earlier bytes.
      yield* idle.write(head("GET", "/health", {}))
      yield* idle.until(answers(2))

      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* idle.closed
      yield* late.write("\r\n")
      const refused = yield* late.closed
      assert.deepStrictEqual(statuses(refused), ["503"])
      assert.match(refused, /retry-after: \d+/i)
      assert.match(refused, uuid)
      const body = JSON.parse(refused.slice(refused.indexOf("\r\n\r\n") + 4))
      assert.deepStrictEqual([body.error.code, Object.keys(body), Object.keys(body.error)], ["service_busy", ["error"], [
        "code",
        "message",
        "details"
      ]])
      assert.strictEqual(body.error.details.retry, "after_delay")
      // A client decodes it on every route.
      assert.instanceOf(Schema.decodeUnknownSync(everyRouteFailures)(body), ServiceBusy)

      // A connection from before may have sent a request that the server has not read yet.
      yield* silent.write(head("GET", "/health", {}))
      const heard = yield* silent.closed
      assert.deepStrictEqual(statuses(heard), ["200"])
      assert.match(heard, /connection: close/i)

      const refusal = yield* Effect.exit(Effect.scoped(rawSocket(port)))
      assert.isTrue(Exit.isFailure(refusal))

      yield* Deferred.succeed(release, undefined)
      const finished = yield* busy.closed
      assert.deepStrictEqual(statuses(finished), ["404"])
      assert.match(finished, /connection: close/i)
      yield* Fiber.join(closing)
    }))
})
