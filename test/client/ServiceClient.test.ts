import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serviceClient } from "../../src/client/Client.ts"

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
})
