import { Context, Effect } from "effect"

/** Something that was read from files and can be read again. */
export interface Reload {
  /** The settings that name its files. */
  readonly what: string
  /** Reads it again. Where it fails, nothing has changed. */
  readonly run: Effect.Effect<void, unknown>
}

/** Where rooms say what can be read again while the process runs. Where no process listens, nothing is. */
export class Reloads extends Context.Reference<Reloads>()("closeout/domain/Reloads", {
  defaultValue: (): { readonly add: (reload: Reload) => Effect.Effect<void> } => ({ add: () => Effect.void })
}) {}

/** A value that is read now, and again when the process gets SIGHUP. A failure then leaves the value as it was. */
export const reloadable = <A, E, R>(
  what: string,
  read: Effect.Effect<A, E, R>
): Effect.Effect<() => A, E, R> =>
  Effect.gen(function*() {
    const context = yield* Effect.context<R>()
    let value = yield* read
    const { add } = yield* Reloads
    yield* add({ what, run: Effect.map(Effect.provide(read, context), (next) => void (value = next)) })
    return () => value
  })
