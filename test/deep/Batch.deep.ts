import { Effect } from "effect"
import { installedCloseout } from "../cli/support/Installed.ts"
import { killedBatch } from "../cli/support/KilledBatch.ts"
import { served } from "../cli/support/Served.ts"
import { layer } from "../support/Layered.ts"

const perSecond = 50

layer(served, { excludeTestServices: true })("a batch of a thousand accounts", (it) => {
  it.effect(
    "that is killed ten times loses nothing and keeps its order, nearly as fast as the way to the service allows",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const main = yield* installedCloseout
        const { passed, refused, seconds } = yield* killedBatch({ accounts: 1000, kills: 10, perSecond, concurrency: 20, main })
        console.log(
          `${passed} requests passed, ${refused} were refused, ${seconds.toFixed(1)} s: ${(seconds / (passed / perSecond)).toFixed(2)} x`
        )
      })),
    1_700_000
  )
})
