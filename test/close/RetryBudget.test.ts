import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Planner } from "../../src/close/Planner.ts"
import { deployed } from "../../src/EmbeddedSandbox.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServiceUnavailable.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { LendingAndVaults } from "../../src/sandbox/scenarios/LendingAndVaults.ts"
import { timed } from "../account/support/World.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"

describe("x", () => {
  it.effect("measure", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* LendingAndVaults
      const { closeLedger, faults } = yield* Network
      yield* closeLedger({ advanceSeconds: 5 })
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const ask = onTestnet(Effect.flatMap(Planner, (planner) => planner.plan(request)))
      const a = yield* timed(ask)
      console.error("calm", a.elapsed, a.exit._tag)
      yield* faults.set({ fault: new ServiceUnavailable({}), rpc: "simulateTransaction" })
      const b = yield* timed(ask)
      console.error("failing", b.elapsed, b.exit._tag, JSON.stringify(b.exit._tag === "Failure" ? b.exit.cause : b.exit.value.status).slice(0, 200))
      assert.isTrue(true)
    }).pipe(Effect.provide(inMemory(undefined, {}, deployed("lend_1", "cdp_1")))), 120_000)
})
