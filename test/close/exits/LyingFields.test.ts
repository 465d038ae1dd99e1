import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../support/Layered.ts"
import { held, liedTo, pairsSurvived, survives } from "./support/LyingSimulation.ts"
import { fieldLies } from "./support/SimulationLies.ts"

layer(liedTo, { excludeTestServices: true, timeout: "60 seconds" })(
  "a contract RPC that lies about a simulation",
  (it) => {
    it.effect("about no field: the exit does what it declared", () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* survives(yield* held, "the truth", (honest) => honest), "applied")
      }))

    for (const { field, lies } of fieldLies) {
      it.effect(`about ${field} moves nothing astray, at plan and at build`, () =>
        Effect.gen(function*() {
          const scene = yield* held
          for (const [what, lie] of lies) yield* survives(scene, `${field}: ${what}`, lie)
        }))
    }

    // `npm run test:deep` lies about all pairs.
    it.effect("about every tenth pair of fields moves nothing astray, at plan and at build", () => pairsSurvived(10), 600_000)
  }
)
