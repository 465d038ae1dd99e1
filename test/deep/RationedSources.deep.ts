import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bySecond, type Loaded, loaded, sources } from "./support/RationedLoad.ts"

const closes = 200
const perSecond = 50

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((all, count) => all + count, 0)

/** Prints the result, with each source's requests in every second. */
const told = (name: string, { seconds, sent, waited }: Loaded) => {
  const lines = sources.map((source) => `${source}: ${bySecond(sent, source).join(" ")}`)
  process.stdout.write([`${name}: ${seconds} s; refused for the moment ${JSON.stringify([...waited])}`, ...lines, ""].join("\n"))
}

/** Answered requests a second of the busiest source. */
const throughput = ({ sent }: Loaded, seconds: number): number =>
  Math.max(...sources.map((source) => sum(bySecond(sent, source, "answered")))) / seconds

describe(`${closes} closes at once over sources that allow ${perSecond} requests a second, in virtual time`, () => {
  for (const tells of [true, false]) {
    it.live(`all end, within 1.5 times the least that takes, where a refusal ${tells ? "says" : "does not say"} when to come back`, () =>
      Effect.gen(function*() {
        const result = yield* loaded({ closes, perSecond, tells })
        told(tells ? "told when to come back" : "told nothing", result)
        assert.isAtLeast(throughput(result, result.seconds), perSecond / 1.5)
        assert.isUndefined(result.waited.get("deadline_exceeded"))
        for (const source of sources) {
          const asked = bySecond(result.sent, source)
          // Without a `Retry-After` the service finds the rate limit by probing above it.
          assert.isAtMost(Math.max(...asked.slice(2)), (tells ? 1.2 : 1.3) * perSecond, "never far more is asked than is allowed")
          assert.isAtMost(sum(bySecond(result.sent, source, "refused")), 0.05 * sum(asked), "hardly anything is refused")
        }
      }))
  }

  it.live("all end where nobody answers for a minute in between, and neither then nor afterwards there is a storm", () =>
    Effect.gen(function*() {
      const dead = { from: 20, to: 80 }
      const result = yield* loaded({ closes, perSecond, tells: true, dead })
      told("a minute without an answer", result)
      assert.isAtLeast(throughput(result, result.seconds - (dead.to - dead.from)), perSecond / 1.7)
      for (const source of sources) {
        const asked = bySecond(result.sent, source)
        assert.isAtMost(Math.max(...asked.slice(dead.from + 1, dead.to)), 12, "a few questions find out when somebody answers")
        assert.isAtMost(Math.max(...asked.slice(dead.to)), 1.2 * perSecond, "what waited meanwhile does not come at once")
      }
    }))
})
