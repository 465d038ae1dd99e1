import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Fiber, Layer, Option } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { MediatorWatch } from "../../src/close/situation/MediatorWatch.ts"
import * as Watcher from "../../src/close/watch/Watcher.ts"
import { UpstreamUnusable } from "../../src/domain/failure/Upstream.ts"
import { Latency } from "../../src/sandbox/faults/Connection.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { UnknownArms } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { isRpc, methodOf } from "../account/support/World.ts"
import { MovedClock, pass } from "../support/JumpingClock.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { signerOf } from "./support/SweptMediator.ts"
import { mediated, payment, watchedLedger } from "./support/WatchedLedger.ts"

/** How often history and the account were read. */
const asked = { history: 0, account: 0 }

const ledger = watchedLedger((request, send) => {
  if (request.url.endsWith("/transactions")) asked.history += 1
  if (isRpc(request) && methodOf(request) === "getLedgerEntries") asked.account += 1
  return send
})

/** A network whose time stands still until it is moved. */
const scene = Effect.gen(function*() {
  const clock = new MovedClock(0)
  yield* Effect.withClockScoped(clock)
  Object.assign(asked, { history: 0, account: 0 })
  const made = yield* mediated
  const { mediator, stranger } = made
  return {
    ...made,
    pass: (millis: number) => pass(clock, millis),
    misuse: Effect.map(perform("a theft", { as: mediator, operations: [payment(mediator, stranger, "1")] }), ({ facts }) => facts.hash),
    /** The lag of the ledger API makes reads of history fail. */
    behind: Effect.flatMap(Network, ({ faults }) => faults.set({ fault: new LaggingLedgerApi({ ledgers: 1 }) })),
    clear: Effect.flatMap(Network, ({ faults }) => faults.clear())
  }
})

type Scene = Effect.Effect.Success<typeof scene>

/** Starts the watch of a service, with the lines that it logs. */
const started = Effect.fnUntraced(function*({ mediator, pass, registry }: Scene, signer?: Layer.Layer<MediatorSigner>) {
  const log = serviceLog()
  const services = yield* Layer.build(
    Layer.fresh(Watcher.layer).pipe(
      Layer.provide([
        signer ?? signerOf(mediator),
        registry,
        log.layer,
        Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))
      ])
    )
  )
  yield* pass(0)
  return { ...Context.get(services, MediatorWatch), told: () => log.lines.map(({ fields, text }) => ({ text, fields })) }
})

describe("the watch over a mediator", () => {
  it.scoped("looks once in five seconds, and once a ledger as soon as that was measured", () =>
    Effect.gen(function*() {
      const made = yield* scene
      const { gift, pass } = made
      const { closeLedger } = yield* Network
      const { closeInterval, latestLedger } = yield* ContractRpc
      yield* started(made)
      assert.deepStrictEqual(asked, { history: 1, account: 1 })
      yield* pass(4_999)
      assert.deepStrictEqual(asked, { history: 1, account: 1 })
      yield* gift("3")
      yield* pass(1)
      assert.deepStrictEqual(asked, { history: 2, account: 2 })
      yield* latestLedger
      yield* closeLedger({ ledgers: 20, advanceSeconds: 40 })
      yield* latestLedger
      assert.strictEqual(yield* closeInterval, 2)
      yield* pass(5_000)
      yield* pass(1_999)
      assert.deepStrictEqual(asked, { history: 3, account: 2 })
      yield* pass(1)
      assert.deepStrictEqual(asked, { history: 4, account: 2 })
    }).pipe(Effect.provide(ledger)))

  it.scoped("shares a look for a quarter of a second, and never looks twice at once", () =>
    Effect.gen(function*() {
      const made = yield* scene
      const { pass } = made
      const { look } = yield* started(made)
      yield* pass(249)
      yield* Effect.all([look, look], { concurrency: 2, discard: true })
      assert.strictEqual(asked.history, 1)
      yield* pass(1)
      yield* Effect.all([look, look], { concurrency: 2, discard: true })
      assert.strictEqual(asked.history, 2)
      const { faults } = yield* Network
      yield* faults.set({ fault: new Latency({ millis: 1_000 }), rest: "*" })
      yield* pass(250)
      yield* Effect.fork(look)
      yield* pass(300)
      yield* Effect.fork(look)
      yield* pass(699)
      assert.strictEqual(asked.history, 3)
      yield* pass(1)
      assert.strictEqual(asked.history, 4)
    }).pipe(Effect.provide(ledger)))

  it.scoped("gives its first alarm once it has looked", () =>
    Effect.gen(function*() {
      const made = yield* scene
      const { gift, misuse, pass } = made
      yield* gift("3")
      const hash = yield* misuse
      const { faults } = yield* Network
      yield* faults.set({ fault: new Latency({ millis: 1_000 }), rest: "*" })
      const { alarm, firstAlarm, told } = yield* started(made)
      const first = yield* Effect.fork(firstAlarm)
      yield* pass(999)
      assert.deepStrictEqual([yield* alarm, yield* Fiber.poll(first)], [null, Option.none()])
      yield* pass(5_000)
      const expected = { rule: "own_transaction", hash }
      assert.deepStrictEqual([yield* alarm, yield* Fiber.join(first)], [expected, expected])
      assert.deepStrictEqual(told(), [{
        text: "the mediator is paused: its account was used in a way that no close explains",
        fields: { shared: "MediatorWatch.look", network: "testnet", ...expected }
      }])
    }).pipe(Effect.provide(ledger)))

  it.scoped("has no alarm where there is none, and says for how many seconds it is blind", () =>
    Effect.gen(function*() {
      const made = yield* scene
      const { behind, clear, gift, pass } = made
      const { alarm, blindFor, firstAlarm, told } = yield* started(made)
      assert.deepStrictEqual([yield* alarm, yield* firstAlarm, yield* blindFor], [null, null, null])
      yield* gift("3")
      yield* pass(5_000)
      yield* behind
      yield* pass(5_000)
      assert.strictEqual(yield* blindFor, 5)
      yield* pass(1)
      assert.strictEqual(yield* blindFor, 6)
      yield* clear
      yield* pass(4_999)
      assert.isNull(yield* blindFor)
      const { faults } = yield* Network
      yield* faults.set({ fault: new UnknownArms({ in: ["accounts"] }) })
      yield* gift("3")
      yield* pass(5_000)
      assert.strictEqual(yield* blindFor, 5)
      const fields = { network: "testnet", reason: String(new UpstreamUnusable({ source: "ledger_api" })) }
      assert.deepStrictEqual(told(), [
        { text: "the mediator is unwatched: its history could not be read", fields: { ...fields, shared: "MediatorWatch.look" } },
        { text: "the mediator is unwatched: its account could not be read", fields }
      ])
    }).pipe(Effect.provide(ledger)))

  it.scoped("is not there without a mediator", () =>
    Effect.gen(function*() {
      const { alarm, blindFor, firstAlarm, look } = yield* started(yield* scene, MediatorSigner.layerNone)
      yield* look
      assert.deepStrictEqual([yield* alarm, yield* firstAlarm, yield* blindFor], [null, null, null])
      assert.deepStrictEqual(asked, { history: 0, account: 0 })
    }).pipe(Effect.provide(ledger)))
})
