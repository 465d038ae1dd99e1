import { assert } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { replayed } from "../../../src/proof/Replay.ts"
import type { Serving } from "../../../src/serving/Serving.ts"
import { aWorld, build } from "../../close/support/RandomMarket.ts"
import { Service } from "../../close/support/Service.ts"
import { saved } from "./Saved.ts"

/** Saves plans of random accounts in random markets, and recomputes each from its file. Returns the count of steps in their plans. */
export const randomPlans = (count: number, from?: Serving["Type"]) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    let steps = 0
    for (const world of FastCheck.sample(aWorld, count)) {
      const { destination, source } = yield* on(build(world))
      const { bundle, plan } = yield* saved({ source: source.publicKey(), destination: destination.publicKey() }, from)
      steps += plan.steps.length
      assert.deepStrictEqual(yield* replayed(bundle), { _tag: "Same" }, JSON.stringify(world))
    }
    return steps
  })
