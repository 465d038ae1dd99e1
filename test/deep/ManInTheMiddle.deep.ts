import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { closesThroughLiars } from "../client/support/Liars.ts"

describe("a man in the middle", () => {
  it.live("gets no signature on anything that was not agreed, in a thousand closes", () =>
    Effect.gen(function*() {
      const { harmed, signed, stopped } = yield* closesThroughLiars({ first: 1_000, count: 1_000 })
      console.log(`signed ${signed}, stopped by ${JSON.stringify([...stopped])}`)
      assert.deepStrictEqual(harmed, [])
      assert.isAbove(signed, 25)
    }), 1_500_000)
})
