import { assert, describe, it } from "@effect/vitest"
import { type Pace, paceAfterAnswer, paceAfterRefusal, paceAfterSilence, unpaced } from "../../src/chain/pace/RequestQueue.ts"

/** The pace after seconds of five answers each, which start at a given time. */
const answering = (pace: Pace, from: number, seconds: number): Pace =>
  Array.from({ length: seconds * 5 }, (_, at) => from + (at + 1) * 200).reduce(paceAfterAnswer, pace)

const refusedAt = (pace: Pace, now: number, answered = 0) => paceAfterRefusal(pace, { answered, now, sent: now })

describe("the pace of an endpoint", () => {
  it("is what it answered, less a tenth, when it refuses for the first time, and no less than a few questions a second", () => {
    assert.strictEqual(refusedAt(unpaced, 10_000, 50).rate, 45)
    assert.strictEqual(refusedAt(unpaced, 10_000, 1).rate, refusedAt(unpaced, 10_000, 0).rate)
    assert.isAtLeast(refusedAt(unpaced, 10_000, 1).rate, 10)
  })

  it("is slowed once by all that was sent within a second, and the more the sooner it refuses again", () => {
    const first = refusedAt(unpaced, 10_000, 50)
    assert.strictEqual(refusedAt(first, 10_900), first)
    assert.strictEqual(paceAfterRefusal(first, { answered: 0, now: 12_000, sent: 9_000 }), first)
    assert.closeTo(refusedAt(first, 11_500).rate, 45 * 0.7, 1e-9)
    assert.closeTo(refusedAt(first, 20_000).rate, 45 * 0.9, 1e-9)
  })

  it("finds the rate that is borne, however far the first guess was from it", () => {
    for (const borne of [3, 20, 400]) {
      let pace = refusedAt(unpaced, 0, 60)
      let refusals = 0
      for (let second = 1; second <= 600; second++) {
        if (pace.rate > borne) {
          pace = refusedAt(pace, second * 1_000)
          if (second > 300) refusals++
        } else pace = answering(pace, second * 1_000, 1)
        if (second > 300 && Number.isFinite(pace.rate)) assert.isAtLeast(pace.rate, borne * 0.6)
      }
      assert.isAtMost(refusals, 40, `once known, a rate of ${borne} is hardly ever exceeded`)
    }
  })

  it("is a trickle while nothing is answered, then doubles every second up to what was borne", () => {
    const known = refusedAt(unpaced, 0, 50)
    const down = paceAfterSilence(known, 10_000)
    assert.strictEqual(down.rate, 10)
    assert.strictEqual(paceAfterSilence(down, 11_000), down)
    assert.closeTo(answering(down, 70_000, 1).rate, 20 * 2 ** 0.8, 4)
    assert.isAtMost(answering(down, 70_000, 4).rate, 47)
    assert.isAtLeast(answering(down, 70_000, 4).rate, 45)
  })

  it("is forgotten five minutes after the last refusal", () => {
    assert.strictEqual(paceAfterAnswer(refusedAt(unpaced, 0, 50), 300_001), unpaced)
    assert.notStrictEqual(paceAfterAnswer(refusedAt(unpaced, 0, 50), 299_999), unpaced)
  })
})
