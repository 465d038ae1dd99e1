import { assert, describe, it } from "@effect/vitest"
import { hourly } from "../../src/protocols/lend1/Rewards.ts"

/** A fifth of everything, in v2: an index seven decimals finer than the token. */
const share = { held: 200n, supply: 1_000n, unit: 10_000_000n, finer: 10_000_000n }
/** Ten thousand base units a second for all, until the second 500. */
const emissions = { eps: 100_000_000_000n, expiration: 500n, index: 0n, last_time: 0n }

describe("what comes in within an hour", () => {
  it("is the holder's part of what is emitted", () => assert.strictEqual(hourly(emissions, share, 100n), 7_200_000n))

  it("is nothing where nothing is emitted, or nobody holds anything", () => {
    assert.strictEqual(hourly(null, share, 100n), 0n)
    assert.strictEqual(hourly(emissions, share, 500n), 0n)
    assert.strictEqual(hourly(emissions, { ...share, supply: 0n }, 100n), 0n)
    assert.strictEqual(hourly(emissions, { ...share, held: 0n }, 100n), 0n)
  })
})
