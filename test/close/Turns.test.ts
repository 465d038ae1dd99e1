import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Deferred, Duration, Effect, Exit, FastCheck as fc, Fiber, Layer, Metric, MetricState, Option, TestClock } from "effect"
import { NetworkSettings, sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import type { Stoppable } from "../../src/chain/pace/Turns.ts"
import { Admission, Computing, ComputingBounds, mostAtOnce } from "../../src/close/load/Admission.ts"
import { FairQueue } from "../../src/close/load/FairQueue.ts"
import { Requester } from "../../src/close/load/Requester.ts"
import { askerOf } from "../../src/http/route/RouteWrapper.ts"

const accounts = Array.from({ length: 2 }, () => Keypair.random().publicKey())

const minute = Duration.minutes(1)

/** Work that continues until it is stopped. */
const endless = (isOver: () => boolean) =>
  function*(): Stoppable<string> {
    while (!isOver()) yield
    return "done"
  }

const asked = (path: ReadonlyArray<string>, deadline: Duration.Duration = minute) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.provideService(work, Requester, { path, deadline })

/** Admission control of one network with such limits. */
const admitting = (bounds: ComputingBounds["Type"]) =>
  Layer.provide(Admission.layer, [
    Layer.succeed(ComputingBounds, bounds),
    Layer.succeed(NetworkSettings, sandboxAddress({ passphrase: "", rpcUrl: "http://127.0.0.1:1", ledgerApiUrl: "http://127.0.0.1:1" }))
  ])

const compute = <A>(work: () => Stoppable<A>) => Effect.flatMap(Computing, ({ run }) => run(work))

const instantly = <A>(value: A) =>
  function*(): Stoppable<A> {
    return value
  }

/** Every turn is taken until `free` is done. */
const taken = Effect.gen(function*() {
  let over = false
  const started: Array<Deferred.Deferred<void>> = []
  const holders = yield* Effect.forEach(Array.from({ length: mostAtOnce }), () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      started.push(begun)
      return yield* Effect.fork(
        asked(["holder"])(compute(function*() {
          Deferred.unsafeDone(begun, Exit.void)
          return yield* endless(() => over)()
        }))
      )
    }))
  yield* Effect.forEach(started, Deferred.await)
  return {
    free: Effect.suspend(() => {
      over = true
      return Fiber.joinAll(holders)
    })
  }
})

describe("turns to compute a close", () => {
  it.scoped("go round: an owner with many waits once for each of the others", () =>
    Effect.gen(function*() {
      const { free } = yield* taken
      const order: Array<string> = []
      const note = (name: string) =>
        function*(): Stoppable<void> {
          order.push(name)
        }
      const seen = (name: string) =>
        Effect.map(Metric.snapshot, (all) =>
          all.flatMap(({ metricKey, metricState }) =>
            metricKey.name === `closeout_turns_${name}` && metricKey.tags.some(({ value }) =>
                value === "compute"
              ) &&
              MetricState.isGaugeState(metricState)
              ? [metricState.value]
              : []
          )[0])
      const wait = (owner: string, name: string) => Effect.zipLeft(Effect.fork(asked([owner])(compute(note(name)))), Effect.yieldNow())
      const waiting = [
        ...(yield* Effect.forEach(["a1", "a2", "a3", "a4"], (name) => wait("a", name))),
        yield* wait("b", "b1"),
        yield* wait("c", "c1"),
        yield* wait("c", "c2")
      ]
      assert.deepStrictEqual([yield* seen("waiting"), yield* seen("running")], [7, mostAtOnce])
      yield* free
      yield* Fiber.joinAll(waiting)
      assert.deepStrictEqual([yield* seen("waiting"), yield* seen("running")], [0, 0])
      assert.deepStrictEqual(order, ["a1", "b1", "c1", "a2", "c2", "a3", "a4"])
    }).pipe(Effect.provide(Computing.layer)))

  it.scoped("are refused to who would wait longer than half the deadline, at once where that is known, and are not lost by it", () =>
    Effect.gen(function*() {
      const { free } = yield* taken
      const hasty = yield* Effect.fork(Effect.either(asked(["x"], Duration.seconds(20))(compute(instantly("late")))))
      yield* TestClock.adjust("9 seconds")
      assert.isTrue((yield* Fiber.poll(hasty))._tag === "None")
      yield* TestClock.adjust("1 second")
      const refused = yield* Fiber.join(hasty)
      assert.strictEqual(refused._tag === "Left" ? refused.left._tag : "", "ServiceBusy")
      const atOnce = yield* Effect.either(asked(["y"], Duration.millis(1))(compute(instantly("late"))))
      assert.strictEqual(atOnce._tag, "Left")
      const gone = yield* Effect.fork(asked(["z"])(compute(instantly("gone"))))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(gone)
      yield* free
      const after = yield* Effect.forEach(Array.from({ length: 3 * mostAtOnce }), () => asked(["w"])(compute(instantly("in time"))), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([...new Set(after)], ["in time"])
    }).pipe(Effect.provide(Computing.layer)))

  it.scoped("are waited for before anything is read: who would wait too long is refused, and nothing of theirs has begun", () =>
    Effect.gen(function*() {
      const close = (yield* Admission).admit("close")
      const held = yield* Deferred.make<void>()
      const holder = yield* Effect.fork(asked(["holder"])(close(Deferred.await(held))))
      yield* Effect.yieldNow()
      const begun: Array<string> = []
      const reads = (name: string) => close(Effect.sync(() => begun.push(name)))
      const hasty = yield* Effect.fork(Effect.either(asked(["x"], Duration.seconds(20))(reads("hasty"))))
      yield* TestClock.adjust("10 seconds")
      const refused = yield* Fiber.join(hasty)
      assert.strictEqual(refused._tag === "Left" ? refused.left._tag : "", "ServiceBusy")
      const patient = yield* Effect.fork(Effect.either(asked(["y"], Duration.seconds(20))(reads("patient"))))
      yield* TestClock.adjust("9 seconds")
      yield* Deferred.succeed(held, undefined)
      const served = yield* Fiber.join(patient)
      yield* Fiber.join(holder)
      assert.strictEqual(served._tag, "Right")
      yield* asked(["z"])(reads("next"))
      assert.deepStrictEqual(begun, ["patient", "next"])
    }).pipe(Effect.provide(admitting({ atOnce: 1, closes: 1, shareOfDeadline: 0.5 }))))

  it.scoped("become fewer when whoever had one took too long for what they wait, and more again when they are in time", () =>
    Effect.gen(function*() {
      const close = (yield* Admission).admit("close")
      const passing = (count: number, duration: Duration.DurationInput) =>
        Effect.gen(function*() {
          let [running, most] = [0, 0]
          const one = Effect.suspend(() => {
            most = Math.max(most, ++running)
            return Effect.ensuring(Effect.sleep(duration), Effect.sync(() => running--))
          })
          const all = yield* Effect.fork(Effect.forEach(Array.from({ length: count }), () => asked(["x"])(close(one)), {
            concurrency: "unbounded"
          }))
          while ((yield* Fiber.poll(all))._tag === "None") yield* TestClock.adjust("1 second")
          yield* Fiber.join(all)
          return most
        })
      assert.strictEqual(yield* passing(4, "1 second"), 4)
      assert.strictEqual(yield* passing(4, "25 seconds"), 4)
      assert.strictEqual(yield* passing(2, "25 seconds"), 2)
      assert.strictEqual(yield* passing(4, "1 second"), 2)
      assert.strictEqual(yield* passing(12, "1 second"), 4)
    }).pipe(Effect.provide(admitting({ atOnce: 4, closes: 4, shareOfDeadline: 10 }))))

  it("go to whoever the queue says stands so far ahead", () => {
    const paths = fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom("x", "y"), fc.constantFrom("1", "2")), { maxLength: 20 })
    fc.assert(fc.property(paths, fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("x", "y"), fc.constant("1")), (all, mine) => {
      const queue = new FairQueue<string>()
      for (const path of all) queue.push(path, "other")
      const told = queue.ahead(mine)
      queue.push(mine, "mine")
      let served = 0
      while (queue.shift() !== "mine") served++
      assert.isAtMost(served, told)
      assert.isAtMost(told, all.length)
      assert.strictEqual(queue.size, all.length - served)
    }))
  })

  it("count all who made their keys themselves as one, told apart by client address, and each operator's owner as one", () => {
    const record = (owner: string) => ({
      id: owner,
      owner,
      createdAt: "",
      revokedAt: null,
      rotatedFrom: null,
      lastUsedAt: null,
      rateLimit: null,
      label: null,
      last4: null,
      expiresAt: null,
      rateWindow: owner
    })
    const of = (owner: string, client: string) => askerOf(Option.some(record(owner)), client, minute).path
    const [one, other] = [accounts[0] ?? "", accounts[1] ?? ""]
    const queue = new FairQueue<string>()
    for (const owner of [one, other]) {
      for (const client of ["1.1.1.1", "1.1.1.1", "2.2.2.2"]) queue.push(of(owner, client), `self ${client}`)
    }
    queue.push(of("ann", "3.3.3.3"), "ann")
    queue.push(of("ben", "1.1.1.1"), "ben")
    queue.push(of("ben", "4.4.4.4"), "ben")
    const order = Array.from({ length: queue.size }, () => queue.shift())
    assert.deepStrictEqual(order.slice(0, 6), ["self 1.1.1.1", "ann", "self 2.2.2.2", "ben", "self 1.1.1.1", "ben"])
  })
})
