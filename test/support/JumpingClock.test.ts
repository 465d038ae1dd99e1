import { assert } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Layer, TestClock } from "effect"
import { open } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { timed } from "../account/support/World.ts"
import { jumping } from "./JumpingClock.ts"
import { layer } from "./Layered.ts"

/** Milliseconds by which the clock moves during some work. */
const passed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const before = yield* Clock.currentTimeMillis
    yield* work
    return (yield* Clock.currentTimeMillis) - before
  })

/** This many milliseconds of work that yields all the time. */
const inTurns = (millis: number) =>
  Effect.promise(async () => {
    for (const end = performance.now() + millis; performance.now() < end;) await new Promise((resolve) => setImmediate(resolve))
  })

/** A read that takes some hundredths of a second, outside of the event loop. */
const reading = Effect.promise(async () => {
  const file = await open("/dev/urandom")
  await file.read(Buffer.alloc(16_000_000))
  await file.close()
})

/** A hundred exchanges over a socket, one after the other. */
const exchanges = Effect.promise(async () => {
  const server = createServer((_, response) => response.end("fine"))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  for (let at = 0; at < 100; at++) await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).text()
  server.closeAllConnections()
  server.close()
})

layer(jumping, { excludeTestServices: true })("a clock that jumps over what is only waited for", (it) => {
  it.effect("comes to the end of a sleep at once, and to no later moment", () =>
    Effect.gen(function*() {
      const began = performance.now()
      assert.strictEqual(yield* passed(Effect.sleep("20 seconds")), 20_000)
      assert.isBelow(performance.now() - began, 10_000)
    }))

  it.effect("wakes one after the other, and nobody who was interrupted", () =>
    Effect.gen(function*() {
      const woken: Array<number> = []
      const sleeper = (seconds: number) => Effect.delay(Effect.sync(() => woken.push(seconds)), Duration.seconds(seconds))
      const given = yield* Effect.fork(sleeper(2))
      const [later] = yield* Effect.all([Effect.fork(sleeper(3)), Effect.fork(sleeper(1))])
      yield* Fiber.interrupt(given)
      assert.strictEqual(yield* passed(Fiber.join(later)), 3_000)
      assert.deepStrictEqual(woken, [1, 3])
    }))

  for (const [name, work] of [["in turns", inTurns(200)], ["on a file", reading], ["over sockets", exchanges]] as const) {
    it.effect(`stands still while work is under way, ${name}, however many sleep`, () =>
      Effect.gen(function*() {
        yield* Effect.fork(Effect.sleep("1 second"))
        assert.strictEqual(yield* passed(work), 0)
      }))
  }
})

layer(Layer.empty)("work on a clock that is moved", (it) => {
  it.effect("takes as long as it sleeps, in whole steps, and the test's clock goes with it", () =>
    Effect.gen(function*() {
      const others: Array<number> = []
      yield* Effect.fork(
        Effect.forever(Effect.zipRight(Effect.sleep("1 second"), Effect.map(Clock.currentTimeMillis, (now) => others.push(now))))
      )
      const { elapsed } = yield* timed(Effect.zipRight(inTurns(20), Effect.sleep(3_010)), 50)
      assert.deepStrictEqual([elapsed, yield* Clock.currentTimeMillis, others], [3_050, 3_050, [1_000, 2_000, 3_000]])
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* timed(Effect.void, 50)).elapsed, 0)
    }))
})
