import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { bySecond, loaded, sources } from "../deep/support/RationedLoad.ts"
import { isThorough } from "../support/Thorough.ts"

const perSecond = 20
const dead = { from: 4, to: 10 }

it.live.runIf(isThorough)(
  "closes at once over sources that allow few requests, and are gone for a while, all end, and neither then nor afterwards there is a storm",
  () =>
    Effect.gen(function*() {
      const { seconds, sent, waited } = yield* loaded({ closes: 20, perSecond, tells: true, dead })
      assert.isUndefined(waited.get("deadline_exceeded"))
      for (const source of sources) {
        const asked = bySecond(sent, source)
        assert.isAtMost(Math.max(...asked.slice(dead.from + 1, dead.to)), 12, "a few questions find out when somebody answers")
        assert.isAtMost(Math.max(...asked.slice(dead.to)), 1.3 * perSecond, "what waited meanwhile does not come at once")
      }
      const most = Math.max(...sources.map((source) => bySecond(sent, source, "answered").reduce((sum, count) => sum + count, 0)))
      // So few closes end soon: much of their time goes into finding the pace.
      assert.isAtLeast(most / (seconds - dead.to + dead.from), perSecond * 0.35)
    })
)
