import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, TestClock } from "effect"
import type { EndpointReport } from "../../../src/chain/Endpoints.ts"
import { laterLedger } from "../../../src/close/leaving/simulation/LaterLedger.ts"
import { context, headerAt, simulated } from "./support/Simulating.ts"

/** A contract RPC that has ledger 10, which closed at 0, and 11 from a second on. Ledgers close every five seconds. */
const network = (from: number, endpoints = 1) => {
  const { rpc } = context(simulated())
  const asked: Array<string> = []
  const named = (name: string) =>
    Effect.map(
      Effect.zipRight(Effect.sync(() => asked.push(name)), Clock.currentTimeMillis),
      (millis) => headerAt(millis >= from * 1_000 ? 11 : 10)
    )
  return {
    asked,
    rpc: {
      ...rpc,
      closeTimeOf: (): Effect.Effect<bigint | null> => Effect.succeed(0n),
      closeInterval: Effect.succeed(5),
      recentLedger: named("recent"),
      latestLedger: named("latest"),
      endpoints: Effect.succeed(
        Array.from({ length: endpoints }, (): EndpointReport => ({ url: "http://127.0.0.1:1", health: "healthy", avgLatencyMs: 0 }))
      ),
      survey: Effect.sync(() => {
        asked.push("survey")
        return []
      })
    }
  }
}

/** How long the wait took in seconds, and its requests. */
const waited = ({ asked, rpc }: ReturnType<typeof network>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.fork(Effect.zipRight(Effect.either(laterLedger(rpc, 10)), Clock.currentTimeMillis))
    yield* TestClock.adjust("1 minute")
    return [(yield* Fiber.join(fiber)) / 1_000, asked.join(" ")] as const
  })

describe("a later ledger", () => {
  it.effect("is asked for once it is due, a second after it should have closed", () =>
    Effect.map(waited(network(6)), (told) => assert.deepStrictEqual(told, [6, "recent"])))

  it.effect("that is late is asked for each second", () =>
    Effect.map(waited(network(8)), (told) => assert.deepStrictEqual(told, [8, "recent latest latest"])))

  it.effect("is waited for twelve seconds", () =>
    Effect.gen(function*() {
      const never = network(60)
      assert.deepStrictEqual(yield* waited(never), [12, `recent${" latest".repeat(6)}`])
      const fiber = yield* Effect.fork(Effect.flip(laterLedger(network(120).rpc, 10)))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "DeadlineExceeded")
    }))

  it.effect("is looked for at every endpoint, where there are several", () =>
    Effect.map(waited(network(7, 2)), (told) => assert.deepStrictEqual(told, [7, "survey recent survey latest"])))

  it.effect("is asked for at once where nothing tells when it is due", () =>
    Effect.gen(function*() {
      const now = network(0)
      assert.deepStrictEqual(yield* waited({ ...now, rpc: { ...now.rpc, closeTimeOf: () => Effect.succeed(null) } }), [0, "recent"])
    }))
})
