import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { layer } from "../../support/Layered.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"
import { type Held, held, liedTo, pairsSurvived, survives } from "./support/LyingSimulation.ts"
import { fieldLies } from "./support/SimulationLies.ts"

/** The account of the lies: no envelope for it is submitted, so every lie meets the same state. */
class Scene extends Context.Tag("closeout/test/close/leaving/LyingFields")<Scene, Held>() {}

layer(Layer.provideMerge(Layer.effect(Scene, held), liedTo), { excludeTestServices: true, timeout: "60 seconds" })(
  "a contract RPC that lies about a simulation",
  (it) => {
    it.effect("about no field: the exit does what it declared", () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* survives(yield* Scene, "the truth", (honest) => honest), "applied")
      }))

    for (const { field, lies } of fieldLies) {
      it.effect(`about ${field} moves nothing astray, at plan and at build`, () =>
        Effect.gen(function*() {
          const scene = yield* Scene
          for (const [what, lie] of firstOf(1, lies)) yield* survives(scene, `${field}: ${what}`, lie)
        }))
    }

    // `npm run test:deep` lies about all pairs.
    it.effect.runIf(isThorough)(
      "about some pairs of fields moves nothing astray, at plan and at build",
      () => pairsSurvived(30),
      600_000
    )
  }
)
