import { assert, describe, it } from "@effect/vitest"
import { claimOf, judgedClaims, type RewardFacts, type RewardWorth } from "../../src/close/situation/RewardJudge.ts"
import type { HeldPosition, Reward } from "../../src/protocols/ProtocolRegistry.ts"
import { anyContract } from "../support/Addresses.ts"

const [pool, blnd, aqua] = [anyContract(), anyContract(), anyContract()]

const holding = (...rewards: ReadonlyArray<Reward>): HeldPosition => ({
  protocol: "amm_1",
  contract: pool,
  key: "shares",
  rows: [],
  pays: [],
  owes: [],
  rewards,
  givenUnder: null
})

const reward = (amount: bigint, more: Partial<Reward> = {}): Reward => ({ token: blnd, amount, claim: "claim", ...more })

const quoted = (lumens: bigint): RewardWorth => ({ _tag: "Quoted", lumens })

/** A base unit is worth a stroop, and the claim costs 500,000 of them with its bid. */
const facts = (more: Partial<RewardFacts> = {}): RewardFacts => ({
  worthOf: (_, amount) => quoted(amount),
  fees: new Map([[claimOf(holding(), "claim"), 499_900n]]),
  made: new Set(),
  inclusionFee: 100n,
  ...more
})

const isLeft = (position: HeldPosition, more: Partial<RewardFacts> = {}): boolean => judgedClaims(facts(more), position).left.has("claim")

describe("a claim", () => {
  it("is left that is worth less than its fee and less than a lumen", () => {
    assert.deepStrictEqual([499_999n, 500_000n].map((amount) => isLeft(holding(reward(amount)))), [true, false])
    const dear = { fees: new Map([[claimOf(holding(), "claim"), 30_000_000n]]) }
    assert.deepStrictEqual([9_999_999n, 10_000_000n].map((amount) => isLeft(holding(reward(amount)), dear)), [true, false])
  })

  it("is judged by all that it pays, and by what comes in within an hour", () => {
    assert.isFalse(isLeft(holding(reward(250_000n), reward(250_000n, { token: aqua }))))
    assert.isTrue(isLeft(holding(reward(250_000n), reward(250_000n, { token: aqua, claim: "gauges_claim" }))))
    assert.isFalse(isLeft(holding(reward(1n, { hourly: 500_000n }))))
  })

  it("is never too little where books and pools were not asked", () => {
    for (const token of [blnd, aqua]) {
      const worthOf: RewardFacts["worthOf"] = (one) => (one === token ? { _tag: "NotAsked" } : quoted(1n))
      assert.isFalse(isLeft(holding(reward(1n), reward(1n, { token: aqua })), { worthOf }))
    }
  })

  it("of what nobody buys is made once, and not at all where its trustline is not wanted", () => {
    const unquoted = { worthOf: () => ({ _tag: "Unquoted" as const }) }
    assert.isFalse(isLeft(holding(reward(1n)), unquoted))
    assert.isTrue(isLeft(holding(reward(1n)), { ...unquoted, made: new Set([claimOf(holding(), "claim")]) }))
    assert.isTrue(isLeft(holding(reward(10n ** 12n)), { worthOf: () => ({ _tag: "Unwanted" }) }))
  })

  it("that was made lately is not made again for less than a lumen, unless it pays into a deposit", () => {
    const made = { made: new Set([claimOf(holding(), "claim")]) }
    assert.deepStrictEqual([9_999_999n, 10_000_000n].map((amount) => isLeft(holding(reward(amount)), made)), [true, false])
    // Four calls until the rewards are in the wallet.
    const deposited = (amount: bigint) => holding(reward(amount, { calls: 4n }))
    assert.deepStrictEqual([1_999_999n, 2_000_000n].map((amount) => isLeft(deposited(amount), made)), [true, false])
  })
})
