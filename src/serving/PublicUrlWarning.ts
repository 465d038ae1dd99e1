import { Effect, Layer, Option } from "effect"
import { publicUrlSetting } from "../domain/PublicUrl.ts"
import { Serving } from "./Serving.ts"

/** Warns an operator who serves a real network without `PUBLIC_URL`: wallets then show `localhost` to people who sign in. */
export const layer = Layer.effectDiscard(Effect.gen(function*() {
  const { sandboxOnly } = yield* Serving
  if (sandboxOnly || Option.isSome(yield* publicUrlSetting)) return
  yield* Effect.logWarning(
    "PUBLIC_URL is not set: wallets show localhost to people who sign a challenge, and help links are paths, not full addresses"
  )
}))
