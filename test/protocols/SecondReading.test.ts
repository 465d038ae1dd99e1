import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { readTwiceInDoubt } from "../../src/protocols/reading/SecondReading.ts"
import { soon } from "../account/support/World.ts"
import { passphrase, settings } from "../chain/support/Scripted.ts"

/** Two endpoints of one operator, and one of another. */
const urls = ["https://one.example/a", "https://one.example/b", "https://two.example/"] as const

const [first, ...others] = urls

/** Endpoints that got a request for their retention, in order. */
const asked: Array<string> = []

const client = HttpClient.make((request) =>
  Effect.sync(() => {
    const { method } = JSON.parse(request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : "{}") as {
      readonly method: string
    }
    if (method === "getHealth") asked.push(request.url)
    const result = method === "getNetwork" ? { passphrase } : { status: "healthy", oldestLedger: 1, latestLedger: 9 }
    return HttpClientResponse.fromWeb(request, Response.json({ jsonrpc: "2.0", id: 1, result }))
  })
)

const layer = ContractRpc.layer.pipe(
  Layer.provide([Layer.succeed(HttpClient.HttpClient, client), settings([new URL(first), ...others.map((url) => new URL(url))])]),
  Layer.merge(Logger.minimumLogLevel(LogLevel.None))
)

describe("a reading in doubt", () => {
  it.scoped("is read again from another operator, not from another endpoint of the same", () =>
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      let readings = 0
      const read = () =>
        Effect.map(rpc.retention, () => {
          readings++
          return () => readings
        })
      const work = { read, doubtIn: (reading: number) => (reading === 1 ? 1 : 0) }
      assert.strictEqual(yield* soon(readTwiceInDoubt(rpc, work, { sequence: 9, closeTime: 1n })), 2)
      assert.deepStrictEqual(asked.map((url) => new URL(url).hostname), ["one.example", "two.example"])
    }).pipe(Effect.provide(layer)))
})
