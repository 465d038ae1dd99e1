import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { HealthReport } from "../../src/domain/Health.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { jumping, MovedClock } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { offered, plan, submit } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

/** Sets the machine's date forward or back by minutes; no time passes. */
const setDate = (minutes: number) =>
  Effect.clockWith((clock) =>
    clock instanceof MovedClock ? Effect.sync(() => clock.setDate(minutes * 60_000)) : Effect.dieMessage("this clock has no date to set")
  )

const rpcHealth = Effect.flatMap(
  Service,
  ({ call }) => Effect.map(call<HealthReport>("GET", "/health/deep"), ({ body }) => body.details["rpc_testnet"]?.status)
)

layer(Layer.provideMerge(Service.layer(), jumping), { excludeTestServices: true })(
  "a machine whose date is set back by 31 minutes",
  (it) => {
    it.effect("reports its health as of the last two seconds, and closes an account", () =>
      Effect.gen(function*() {
        const { on, sandbox } = yield* Service
        const { destination, source } = yield* on(Pair())
        const request = acknowledged(source, destination)
        assert.strictEqual((yield* plan(request)).status, "ready")
        assert.strictEqual(yield* rpcHealth, "up")
        yield* Effect.acquireUseRelease(setDate(-31), () =>
          Effect.gen(function*() {
            yield* sandbox.faults.set({ fault: new ServiceUnavailable({}), rpc: "*" })
            yield* Effect.sleep("3 seconds")
            assert.strictEqual(yield* rpcHealth, "down")
            yield* sandbox.faults.clear()
            yield* Effect.sleep("3 seconds")
            assert.strictEqual(yield* rpcHealth, "up")
            const sent = yield* submit(yield* signed(yield* offered(request), source))
            assert.strictEqual(sent.status, "success")
          }), () => setDate(31))
      }))
  }
)
