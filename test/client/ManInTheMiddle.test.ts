import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { closesThroughLiars } from "./support/Liars.ts"

describe("a man in the middle", () => {
  it.live("gets no signature on anything that was not agreed, in eight closes", () =>
    Effect.gen(function*() {
      const { harmed, signed, stopped } = yield* closesThroughLiars({ first: 1, count: 8 })
      assert.deepStrictEqual(harmed, [])
      // Lies that leave the envelope unchanged are no reason to stop; others are detected.
      assert.isAbove(signed, 0)
      assert.isAbove(stopped.get("TransactionNotVerified") ?? 0, 1)
    }), 600_000)
})
