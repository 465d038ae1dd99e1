import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
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
})
