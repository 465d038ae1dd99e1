import { liedTo, pairsSurvived } from "../close/leaving/support/LyingSimulation.ts"
import { layer } from "../support/Layered.ts"

layer(liedTo, { excludeTestServices: true, timeout: "60 seconds" })("a contract RPC that lies about a simulation", (it) => {
  it.effect("about any two fields moves nothing astray, at plan and at build", () => pairsSurvived(1), 1_800_000)
})
