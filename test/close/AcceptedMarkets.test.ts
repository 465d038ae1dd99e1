import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { acceptedMarkets } from "../deep/support/accept/AcceptedMarkets.ts"
import { layer } from "../support/Layered.ts"
import { isThorough } from "../support/Thorough.ts"
import { Service } from "./support/Service.ts"

layer(Service.layer(), { excludeTestServices: true })("of random holdings in a random market, closed by an acceptance", (it) => {
  it.effect(
    "each asks nothing that has a recommended option, and brings what was accepted or is refused below it",
    () =>
      Effect.gen(function*() {
        const outcomes = yield* acceptedMarkets(isThorough ? 5 : 2, 1)
        assert.isAbove(outcomes.get("closed") ?? 0, 0)
      }),
    240_000
  )
})
