import { assert, describe, it } from "@effect/vitest"
import { contract as sdk } from "@stellar/stellar-sdk"
import { Either } from "effect"
import { poolCode } from "../../../src/protocols/amm3/Code.ts"
import { Withdrawable } from "../../../src/protocols/amm3/Entries.ts"
import { poolPart } from "../../../src/protocols/amm3/PoolPart.ts"
import { partsIn } from "../../../src/protocols/amm3/PoolParts.ts"
import type { GetterState, LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { codeKey } from "../../../src/stellar/ContractKeys.ts"
import { keyText } from "../../../src/xdr/LedgerKeys.ts"
import { amm3Code, runningOther } from "../support/Amm3Ledgers.ts"
import { codeEntry } from "../support/Declared.ts"
import { declaredStake } from "../support/DeclaredStake.ts"
import { terms } from "../support/Leaving.ts"
import { recorded } from "../support/Recorded.ts"

const recording = recorded("amm_3")
const newer = "cd".repeat(32)
const named = {
  pool: recording.contract("pool"),
  stake: recording.contract("stake"),
  pho: recording.contract("pho")
}

/** The stake with unlisted code of this declaration, and this result of the getter for its payout. */
const upgraded = (spec: sdk.Spec, told: GetterState): LedgerView => {
  const view = runningOther(recording, "staked", "stake", newer)
  return {
    ...view,
    state: (key) =>
      keyText(key) === keyText(codeKey(newer)) ? { _tag: "Present", data: codeEntry(newer, spec), archived: false } : view.state(key),
    answer: () => told
  }
}

const says = (amount: bigint): GetterState => ({
  _tag: "Returned",
  value: Withdrawable.encode({ rewards: [{ reward_address: named.pho, reward_amount: amount }] })
})

const silent: GetterState = { _tag: "Failed", reason: "nobody was asked" }

const read = (view: LedgerView, { byInterface = true, withoutRewards = false } = {}) => {
  const parts = Either.getOrThrow(partsIn(view, named.pool))
  const place = poolPart(poolCode(amm3Code, byInterface))({ contract: named.pool, parts, rewardTokens: [] })
  const context = { user: recording.user, view, ...terms(view), spendable: () => 0n, withoutRewards }
  return { decoded: place.decode(recording.user, view), exit: place.exit("shares", context) }
}

describe("a stake whose code is not listed", () => {
  it("counts by what it declares, and its rewards by what it says", () => {
    const { decoded: { positions, unrecognized }, exit } = read(upgraded(declaredStake, says(7_000_000n)))
    assert.isEmpty(unrecognized)
    const [position] = positions
    assert.deepStrictEqual(position?.knownByInterface, [named.stake])
    assert.deepStrictEqual(position?.rewards, [{ token: named.pho, amount: 7_000_000n, claim: "withdraw_rewards" }])
    assert(exit._tag === "Calls")
    assert.deepStrictEqual(exit.calls.map((call) => call.function), ["withdraw_rewards", "unbond", "unbond", "withdraw_liquidity"])
    assert.deepStrictEqual(exit.calls[0].payouts, [{ token: named.pho, expected: 7_000_000n }])
    // The newest of them pays with each withdrawn stake, even an amount of zero: its trustline must exist.
    for (const { payouts } of exit.calls.slice(1, 3)) assert.deepStrictEqual(payouts.at(-1), { token: named.pho, expected: 0n })
  })

  it("that does not say what it owes stops the exit: only its owner may give up what nobody knows", () => {
    const view = upgraded(declaredStake, silent)
    const { decoded: { positions }, exit } = read(view)
    assert.deepStrictEqual([positions[0]?.rewardsUnread, positions[0]?.rewards], [true, []])
    assert.deepStrictEqual(exit, { _tag: "Refused", refusal: { _tag: "RewardsUnread", contract: named.stake } })
    const given = read(view, { withoutRewards: true }).exit
    assert.deepStrictEqual(given._tag === "Calls" ? given.calls.map((call) => call.function) : given, [
      "unbond",
      "unbond",
      "withdraw_liquidity"
    ])
  })

  it("is not known where it declares anything else, or code must be listed", () => {
    const less = new sdk.Spec(declaredStake.entries.slice(1))
    for (const one of [read(upgraded(less, says(1n))), read(upgraded(declaredStake, says(1n)), { byInterface: false })]) {
      assert.deepStrictEqual(one.decoded.unrecognized.map(({ contract }) => contract), [named.stake])
      assert.deepStrictEqual(one.exit._tag === "Calls" ? one.exit.calls.map((call) => call.function) : one.exit, ["withdraw_liquidity"])
    }
  })
})
