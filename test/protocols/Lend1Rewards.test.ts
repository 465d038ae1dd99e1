import { assert, describe, it } from "@effect/vitest"
import { isDust } from "../../src/protocols/lend1/Rewards.ts"

/** A fifth of everything, in v2: an index seven decimals finer than the token. */
const share = { held: 200n, supply: 1_000n, unit: 10_000_000n, finer: 10_000_000n }
/** A thousand base units a second for all, until the second 500. */
const emissions = { eps: 10_000_000_000n, expiration: 500n, index: 0n, last_time: 0n }

describe("rewards that are left behind", () => {
  it("are a tenth of a token at the most where nothing comes in", () => {
    for (const none of [null, { ...emissions, expiration: 100n }]) {
      assert.isTrue(isDust(none, 1_000_000n, share, 100n))
      assert.isFalse(isDust(none, 1_000_001n, share, 100n))
    }
  })

  it("or what comes in within an hour, which would be there again after a claim", () => {
    // 2,000 a second.
    assert.isTrue(isDust({ ...emissions, eps: 100_000_000_000n }, 7_200_000n, share, 100n))
    assert.isFalse(isDust({ ...emissions, eps: 100_000_000_000n }, 7_200_001n, share, 100n))
    assert.isFalse(isDust({ ...emissions, eps: 100_000_000_000n }, 7_200_000n, { ...share, supply: 0n }, 100n))
  })
})
