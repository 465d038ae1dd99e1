import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { watchedCloses } from "./support/WatchedCloses.ts"

const count = Number(process.env["WATCHED_CLOSES"] ?? 10_000)
/** A run on a busy machine ends early, and reports how many closes it did. */
const minutes = Number(process.env["WATCHED_MINUTES"] ?? 60)

describe("the watch over the mediator", () => {
  it.scopedLive(
    `raises no alarm in up to ${count} closes among gifts, sweeps and drains of strangers`,
    () =>
      Effect.gen(function*() {
        const done = yield* watchedCloses(count, minutes)
        yield* Console.log(JSON.stringify({ ...done, drained: done.drained.length }))
        assert.deepStrictEqual(done.paused, [])
        assert.strictEqual(done.drained.length, done.attacks)
        assert.isAbove(done.sweeps, 0)
      }),
    60_000 * (minutes + 10)
  )
})
