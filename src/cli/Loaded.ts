import { Effect } from "effect"
import { wrongInput } from "./CommandFailed.ts"

/** Loads parts of the service, which not every version of Node runs. They are loaded only where they are wanted: they are much. */
export const loaded = <A>(what: string, load: () => Promise<A>) =>
  Effect.tryPromise({
    try: load,
    catch: (cause) => wrongInput(`${what} by parts that do not run with Node ${process.version}: ${String(cause)}`)
  })
