import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Serving } from "../../src/serving/Serving.ts"
import { Service } from "../close/support/Service.ts"
import { hardSources } from "../proof/support/HardSources.ts"
import { randomPlans } from "../proof/support/RandomPlans.ts"
import { layer } from "../support/Layered.ts"

/** `REPLAYED_PLANS`: the number of plans. */
const plans = Number(process.env["REPLAYED_PLANS"] ?? 200)

const moving = Serving.layerWith({ closeEvery: "1 second", protocols: false, accounts: false })

layer(Service.layer(), { excludeTestServices: true })("plans of random accounts in random markets", (it) => {
  it.effect("are computed again from their files, byte for byte", () =>
    Effect.gen(function*() {
      assert.isAbove(yield* randomPlans(plans), 0)
    }), 1_500_000)
})

layer(Service.layer({}, moving), { excludeTestServices: true })("plans while ledgers close", (it) => {
  it.effect("are computed again from sources that hang and that refuse calls", () =>
    Effect.scoped(Effect.gen(function*() {
      const { serving } = yield* Service
      const from = yield* (yield* hardSources(12))(serving)
      assert.isAbove(yield* randomPlans(plans / 10, from), 0)
    })), 1_500_000)
})
