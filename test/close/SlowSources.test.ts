import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Latency } from "../../src/sandbox/faults/Connection.ts"
import { jumping } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { offered, plan, submit } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { accountOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"
import { Sources, sourcesService } from "./support/Sources.ts"

/** Longer than the wait for a source while another one could answer. */
const slow = new Latency({ millis: 3_000 })

/** Closes a plain account over HTTP: plan, build, submit, and a last plan. */
const closed = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, source } = yield* on(Pair())
  const request = acknowledged(source, destination)
  assert.strictEqual((yield* plan(request)).status, "ready")
  const transaction = yield* offered(request)
  const sent = yield* submit(yield* signed(transaction, source))
  assert.deepStrictEqual([sent.status, sent.hash], ["success", transaction.hash])
  assert.isNull(yield* accountOf(source))
  assert.strictEqual((yield* plan(request)).status, "complete")
})

layer(Layer.provideMerge(Service.layer(), jumping), { excludeTestServices: true })(
  "a network of one endpoint a kind, whose every answer takes 3 s",
  (it) => {
    it.effect("closes a plain account", () =>
      Effect.gen(function*() {
        const { sandbox } = yield* Service
        yield* sandbox.faults.set({ fault: slow })
        yield* Effect.ensuring(closed, sandbox.faults.clear())
      }))
  }
)

layer(sourcesService(2), { excludeTestServices: true })("a network of two contract RPCs, whose every answer takes 3 s", (it) => {
  it.effect("closes a plain account", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const endpoints = yield* Sources
      const all = [sandbox.faults, ...endpoints.map(({ faults }) => faults)]
      yield* Effect.forEach(all, (faults) => faults.set({ fault: slow }))
      yield* Effect.ensuring(closed, Effect.forEach(all, (faults) => faults.clear()))
    }))
})
