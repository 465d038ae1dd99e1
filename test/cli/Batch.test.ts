import { Effect } from "effect"
import { layer } from "../support/Layered.ts"
import { isThorough } from "../support/Thorough.ts"
import { killedBatch } from "./support/KilledBatch.ts"
import { served } from "./support/Served.ts"

layer(served, { excludeTestServices: true })("a batch", (it) => {
  it.effect.runIf(isThorough)(
    "that is killed twice loses nothing and keeps its order, through a way that limits requests",
    () => Effect.asVoid(killedBatch({ accounts: 6, kills: 2, perSecond: 40, concurrency: 4 })),
    240_000
  )
})
