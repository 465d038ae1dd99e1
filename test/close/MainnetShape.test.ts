import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { layer } from "../support/Layered.ts"
import type { PlanBody } from "./support/Client.ts"
import { mainnetService } from "./support/MainnetServed.ts"
import { Service } from "./support/Service.ts"

const planned = Effect.gen(function*() {
  const { call, on, sandbox } = yield* Service
  const { destination, source } = yield* on(FundedPair)
  yield* sandbox.closeLedger({ advanceSeconds: 5 })
  const { body, status } = yield* call<PlanBody>("POST", "/v1/mainnet/close/plan", {
    source: source.publicKey(),
    destination: destination.publicKey()
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
})

layer(mainnetService(), { excludeTestServices: true, timeout: 120_000 })("a network shaped as mainnet is", (it) => {
  it.effect("plan", () =>
    Effect.gen(function*() {
      const { call } = yield* Service
      console.log(JSON.stringify(yield* planned, null, 1))
      console.log(JSON.stringify((yield* call("GET", "/health/deep")).body, null, 1))
    }))
})
