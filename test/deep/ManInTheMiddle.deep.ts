import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { closesThroughLiars } from "../client/support/Liars.ts"

describe("a man in the middle", () => {
  it.live("gets no signature on anything that was not agreed, in a thousand closes", () =>
    Effect.gen(function*() {
      const { harmed, signed } = yield* closesThroughLiars({ first: 1_000, count: 1_000, report: console.log })
      assert.deepStrictEqual(harmed, [])
      assert.isAbove(signed, 25)
    }), 7_200_000)
})
