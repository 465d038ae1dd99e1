import { assert, describe, it } from "@effect/vitest"
import type { Bonding } from "../../../src/protocols/amm3/Entries.ts"
import { payoutOf } from "../../../src/protocols/amm3/Payout.ts"
import { historyReward, pointReward } from "../../../src/protocols/amm3/Rewards.ts"

const day = 86_400n
const start = 1_795_200_000n

const bonded = (lastRewardTime: bigint, ...stakes: ReadonlyArray<readonly [amount: bigint, since: bigint]>): Bonding => ({
  last_reward_time: lastRewardTime,
  reward_debt: 0n,
  stakes: stakes.map(([stake, stake_timestamp]) => ({ stake, stake_timestamp })),
  total_stake: stakes.reduce((sum, [stake]) => sum + stake, 0n)
})

describe("what shares are worth", () => {
  it("is rounded down twice: their part of all shares at eighteen decimals, then the amount", () => {
    // A third, cut after eighteen decimals, is less than a third: a plain quotient would give one unit more.
    assert.strictEqual(payoutOf(3n, 1n, 3n), 0n)
    assert.strictEqual(payoutOf(300n, 1n, 3n), 99n)
    assert.strictEqual(payoutOf(300n, 3n, 3n), 300n)
    // The whole pool except for the shares that its first deposit locked.
    assert.strictEqual(payoutOf(10n ** 18n, 999n, 1_000n), 999n * 10n ** 15n)
    assert.strictEqual(payoutOf(7n * 10n ** 18n, 1n, 7n), 7n * 142_857_142_857_142_857n)
    assert.strictEqual(payoutOf(10n ** 30n, 1n, 10n ** 19n), 0n)
    assert.strictEqual(payoutOf(5n, 1n, 0n), 0n)
  })
})

describe("rewards by the history of distributions", () => {
  it("grow by a sixtieth a day of a stake's age when they were paid in, up to sixty days", () => {
    const history = [[start + 200n * day, 6_000n]] as const
    const totals = [[start + 200n * day, 1_000n]] as const
    const at = (age: bigint) => historyReward(bonded(0n, [100n, start + 200n * day - age]), history, totals, start + 300n * day)
    // A tenth of 6,000 is 600: ten a day, where the days are the elapsed part of sixty.
    const days = [0n, 3n, 6n, 30n, 60n, 61n, 200n].map((each) => at(each * day))
    assert.deepStrictEqual(days, [0n, 30n, 60n, 300n, 600n, 600n, 600n])
    assert.deepStrictEqual([at(3n * day - 1n), at(4n * day - 1n)], [19n, 30n])
    // Bonded after the payment.
    assert.strictEqual(at(-5n * day), 0n)
  })

  it("are rounded down over a ratio of eighteen decimals, for each stake and distribution alone", () => {
    // A seventh of the way is no finite decimal: 7/60 of 60 is 7, but computes to 6.
    const one = (age: bigint, amount: bigint) =>
      historyReward(bonded(0n, [amount, start]), [[start + age * day, 60n]], [[start + age * day, 60n]], start + 100n * day)
    assert.strictEqual(one(7n, 60n), 6n)
    assert.strictEqual(one(3n, 60n), 3n)
    // Twice nine and a half is eighteen, not nineteen.
    const stakes = bonded(0n, [19n, start], [19n, start])
    assert.strictEqual(historyReward(stakes, [[start + 30n * day, 38n]], [[start + 30n * day, 38n]], start + 31n * day), 18n)
    const history = [[start + 30n * day, 19n], [start + 90n * day, 19n]] as const
    const totals = [[start + 30n * day, 19n], [start + 90n * day, 19n]] as const
    assert.strictEqual(historyReward(bonded(0n, [19n, start]), history, totals, start + 91n * day), 9n + 19n)
  })

  it("count distributions after the last withdrawal and up to now, where anything was bonded", () => {
    const times = [10n, 20n, 30n].map((days) => start + days * day)
    const history = times.map((time) => [time, 600n] as const)
    const totals = times.map((time) => [time, 100n] as const)
    const due = (last: bigint, now: bigint, all: ReadonlyArray<readonly [bigint, bigint]> = totals) =>
      historyReward(bonded(last, [100n, start]), history, all, now)
    assert.strictEqual(due(0n, start + 40n * day), 100n - 1n + 200n - 1n + 300n)
    assert.strictEqual(due(start + 10n * day, start + 40n * day), 200n - 1n + 300n)
    assert.strictEqual(due(start + 10n * day - 1n, start + 40n * day), 100n - 1n + 200n - 1n + 300n)
    assert.strictEqual(due(0n, start + 30n * day - 1n), 100n - 1n + 200n - 1n)
    assert.strictEqual(due(0n, start + 30n * day), 100n - 1n + 200n - 1n + 300n)
    assert.strictEqual(due(0n, start + 40n * day, totals.slice(0, 1)), 100n - 1n)
    assert.strictEqual(due(0n, start + 40n * day, times.map((time) => [time, 0n] as const)), 0n)
  })
})

describe("rewards by points", () => {
  const perPoint = 3n << 32n

  it("are what points earned since they were there, less what was withdrawn", () => {
    const staked = { total: 5_999n, least: 1n }
    assert.strictEqual(pointReward(perPoint, staked, null), 15n)
    assert.strictEqual(pointReward(perPoint, staked, { shares_correction: -(5n << 32n), withdrawn_rewards: 4n }), 6n)
    // Half a unit is zero, and a stake below the minimum does not count.
    assert.strictEqual(pointReward(perPoint, staked, { shares_correction: -1n, withdrawn_rewards: 0n }), 14n)
    assert.strictEqual(pointReward(perPoint, { total: 5_999n, least: 6_000n }, null), 0n)
  })

  it("cannot be less than nothing", () => {
    assert.isNull(pointReward(perPoint, { total: 1_000n, least: 1n }, { shares_correction: 0n, withdrawn_rewards: 4n }))
    assert.isNull(pointReward(perPoint, { total: 0n, least: 1n }, { shares_correction: -1n, withdrawn_rewards: 0n }))
  })
})
