import { Context, type Effect } from "effect"
import type { CloseRequest } from "../domain/Plan.ts"
import type { CloseFailure } from "./ClientFailure.ts"
import type { CloseEvent } from "./CloseEvent.ts"
import type { CloseSettings } from "./CloseOptions.ts"
import type { CallFailed } from "./ServiceClient.ts"

/** The close under way: what its parts share. */
export class Closing extends Context.Tag("closeout/client/Closing")<Closing, {
  readonly settings: CloseSettings
  /** What every request of the close says, its decisions aside. */
  readonly request: Omit<CloseRequest, "decisions"> & { readonly destination: string }
  readonly emit: (event: CloseEvent) => Effect.Effect<void>
  /** Makes a call again as long as time helps, and tells when it waits. */
  readonly retrying: <A, E extends CloseFailure, R>(
    call: Effect.Effect<A, CallFailed | E, R>
  ) => Effect.Effect<A, CloseFailure, R>
}>() {}
