import { Effect } from "effect"
import { NotImplemented } from "../domain/failure/Request.ts"

/** Every route that is declared and not built yet, by its operation id. It answers 501 `not_implemented`. */
export const notYetRoutes = [
  "getPlanView"
] as const

/** The handler of such a route. */
export const notYet = (): Effect.Effect<never, NotImplemented> => Effect.fail(new NotImplemented())
