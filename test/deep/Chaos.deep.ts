import { it } from "@effect/vitest"
import { Effect } from "effect"
import { chaos } from "./support/chaos/Chaos.ts"

const { CHAOS_CLOSES = "50", CHAOS_SECONDS = "60", CHAOS_SEED = "1" } = process.env

it.live(
  `${CHAOS_CLOSES} closes at once over sources that fail at random, through a service that is killed at random, all end with every stroop`,
  () =>
    Effect.gen(function*() {
      const { closed, kills, refused } = yield* chaos({
        closes: Number(CHAOS_CLOSES),
        seconds: Number(CHAOS_SECONDS),
        seed: Number(CHAOS_SEED)
      })
      console.log(`${closed} closed, killed ${kills} times; attempts that were refused: ${JSON.stringify([...refused])}`)
    }),
  1_700_000
)
