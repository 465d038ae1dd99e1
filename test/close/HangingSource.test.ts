import { assert } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { Hang } from "../../src/sandbox/faults/Connection.ts"
import { jumping } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { refusal, refusedGet } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { Service } from "./support/Service.ts"

/** Milliseconds: one request alone would wait longer without the request's own time limit. */
const oneCall = 18_000

layer(Layer.provideMerge(Service.layer(), jumping), { excludeTestServices: true })(
  "over HTTP, a source that hangs and has no other beside it",
  (it) => {
    it.effect("is answered with 503 and when to ask again, long before the deadline", () =>
      Effect.gen(function*() {
        const { on, sandbox } = yield* Service
        const { destination, source } = yield* on(Pair())
        const request = acknowledged(source, destination)
        yield* sandbox.faults.set({ fault: new Hang({}), rpc: "*" })
        const began = yield* Clock.currentTimeMillis
        const [planned, built, read] = yield* Effect.all(
          [refusal("plan", request), refusal("next", request), refusedGet(`/testnet/account/${source.publicKey()}`)],
          { concurrency: "unbounded" }
        )
        const took = (yield* Clock.currentTimeMillis) - began
        yield* sandbox.faults.clear()
        for (const answer of [planned, built, read]) {
          assert.deepStrictEqual([answer.status, answer.code, answer.retryAfter], [503, "network_unavailable", "30"])
          assert.deepStrictEqual(answer.details, { network: "testnet", source: "contract_rpc" })
        }
        assert.isBelow(took, oneCall)
      }))
  }
)
