import { Effect } from "effect"
import { join } from "node:path"
import { bundleCloseout } from "../../scripts/closeout-bundle.ts"
import { killedBatch } from "../cli/support/KilledBatch.ts"
import { served } from "../cli/support/Served.ts"
import { layer } from "../support/Layered.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"

const perSecond = 50

/** The command line as it is packed, in a folder of its own: the path of its file. */
const installedCloseout = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  yield* Effect.promise(() => bundleCloseout(folder))
  return join(folder, "closeout.mjs")
})

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
