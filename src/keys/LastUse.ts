import { Clock, Effect, Queue } from "effect"
import { guarded } from "./database/Guarded.ts"
import type { KeyTable } from "./KeyTable.ts"

/** How long uses are gathered before they are written. */
const after = "10 seconds"

/** Most keys whose use waits to be written; of others it is not noted this time. */
const mostNoted = 10_000

/** Most uses written in one transaction. */
const mostAtOnce = 500

/**
 * Notes when keys were used, and writes it ten seconds after the first use that is not written yet, and at the end. No request waits for it,
 * and a store that does not take it is tried again with the next use: it is a convenience, and no one is let in or refused by it.
 */
export const lastUse = Effect.fnUntraced(function*(table: Pick<KeyTable, "used">) {
  let noted = new Map<string, number>()
  const signal = yield* Queue.sliding<void>(1)

  const written = Effect.gen(function*() {
    const times = [...noted]
    noted = new Map()
    for (let at = 0; at < times.length; at += mostAtOnce) {
      yield* guarded("write when keys were used")(table.used(times.slice(at, at + mostAtOnce))).pipe(
        Effect.tapError(() => Effect.sync(() => noted = new Map([...times.slice(at), ...noted])))
      )
    }
  }).pipe(Effect.ignore)

  yield* Effect.addFinalizer(() => written)
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Queue.take(signal), Effect.delay(written, after))))

  return {
    /** When the key was used last, in milliseconds, where that is not written yet; else null. */
    unwritten: (id: string): number | null => noted.get(id) ?? null,
    /** The key was used now. */
    note: (id: string): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (noted.size < mostNoted || noted.has(id)) noted.set(id, now)
        return Queue.offer(signal, undefined)
      })
  }
})
