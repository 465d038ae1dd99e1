import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { called, CallFailed, serviceClient } from "../../src/client/Client.ts"

/** A server that answers every request in this way. */
const answering = (answer: (response: ServerResponse) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((_, response) => answer(response))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  )

/** How a call to a service that answers in this way fails. */
const failedBy = (answer: (response: ServerResponse) => void) =>
  Effect.scoped(Effect.gen(function*() {
    const client = yield* serviceClient({ baseUrl: yield* answering(answer) })
    const failed = yield* Effect.flip(called(client.health.live()))
    assert.instanceOf(failed, CallFailed)
    return [failed.failure._tag, failed.retry]
  }))

const json = { "content-type": "application/json" }

describe("the typed client", () => {
  it.effect("sends each call to its own service with its own key, also beside clients of other services", () =>
    Effect.gen(function*() {
      const sent: Array<string> = []
      const clientOf = (baseUrl: string, apiKey?: string) =>
        serviceClient({
          baseUrl,
          ...(apiKey === undefined ? {} : { apiKey }),
          fetch: async (input, init) => {
            sent.push(`${baseUrl}: ${String(input)} ${new Headers(init?.headers).get("authorization") ?? "without a key"}`)
            return Response.json({ status: "ok" })
          }
        })
      const clients = [yield* clientOf("http://one.invalid/", "key-one"), yield* clientOf("http://two.invalid/base", "key-two")]
      const calls = [...clients, yield* clientOf("http://three.invalid")].map(({ health }) => health.live())
      const alive = yield* Effect.all([...calls, ...calls.toReversed()], { concurrency: "unbounded" })
      assert.strictEqual(alive.length, 6)
      assert.deepStrictEqual(sent, [
        "http://one.invalid/: http://one.invalid/health Bearer key-one",
        "http://two.invalid/base: http://two.invalid/base/health Bearer key-two",
        "http://three.invalid: http://three.invalid/health without a key",
        "http://three.invalid: http://three.invalid/health without a key",
        "http://two.invalid/base: http://two.invalid/base/health Bearer key-two",
        "http://one.invalid/: http://one.invalid/health Bearer key-one"
      ])
    }))
  for (const status of [200, 404]) {
    it.live(`has reached no service where the connection ends inside an answer with status ${status}`, () =>
      Effect.gen(function*() {
        const cut = (response: ServerResponse) =>
          response.writeHead(status, { ...json, "content-length": "1000" }).write("{\"status\":", () => response.destroy())
        assert.deepStrictEqual(yield* failedBy(cut), ["ServiceUnreachable", "after_delay"])
      }))
  }

  it.live("follows no whole answer that is not JSON, or not what the API describes", () =>
    Effect.gen(function*() {
      for (const body of ["{\"status\":", "<html>", "{\"status\":7}", ""]) {
        const failed = yield* failedBy((response) => response.writeHead(200, json).end(body))
        assert.deepStrictEqual(failed, ["UnexpectedAnswer", "never"], body)
      }
    }))

  it.scoped("ends a call that gets its answer byte by byte after three minutes, and the connection with it", () =>
    Effect.gen(function*() {
      const [begun, closed] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const url = yield* answering((response) => {
        response.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        response.writeHead(200, json).write("{", () => Deferred.unsafeDone(begun, Effect.void))
      })
      const client = yield* serviceClient({ baseUrl: url })
      const calling = yield* Effect.fork(Effect.flip(called(client.health.live())))
      yield* Deferred.await(begun)
      yield* TestClock.adjust("179 seconds")
      assert.isNull(calling.unsafePoll())
      yield* TestClock.adjust("1 second")
      const { failure, retry } = yield* Fiber.join(calling)
      assert.deepStrictEqual([failure._tag, retry], ["ServiceUnreachable", "after_delay"])
      assert.include(failure.message, "no answer within 3m")
      yield* Deferred.await(closed)
    }))

  it.scoped("ends a call whose answer is endless, and the connection with it", () =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<void>()
      const url = yield* answering((response) => {
        const chunk = Buffer.alloc(1024 * 1024, " ")
        const more = () => {
          while (!response.destroyed && response.write(chunk)) continue
        }
        response.on("drain", more).on("close", () => Deferred.unsafeDone(closed, Effect.void)).writeHead(200, json)
        more()
      })
      const client = yield* serviceClient({ baseUrl: url })
      const { failure, retry } = yield* Effect.flip(called(client.health.live()))
      assert.deepStrictEqual([failure._tag, retry], ["ServiceUnreachable", "after_delay"])
      yield* Deferred.await(closed)
    }))
})
