import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf, addressVal, asU128, asVec, u128, u32, vec } from "../../../src/ledger/soroban/Values.ts"
import { ammLedgerOf } from "./Amm1Replay.ts"
import { readReplayed, type ReplayedRecording, simulate, withLife } from "./CallReplay.ts"

/** A contract's result, and the caller's gains. */
const called = (recording: ReplayedRecording, state: LedgerState, pool: string, fn: string, ...args: ReadonlyArray<xdr.ScVal>) => {
  const contract = recording.contracts[pool]?.address ?? assert.fail(`no ${pool}`)
  const told = simulate(recording, state, {
    contract,
    function: fn,
    source: recording.user,
    args: [addressVal(addressOf(recording.user)), ...args]
  })
  return told._tag === "SimulatedCall" ? told : assert.fail(told.error.message)
}

const amounts = (...values: ReadonlyArray<bigint>): xdr.ScVal => vec(...values.map(u128))

const numbers = (value: xdr.ScVal): ReadonlyArray<bigint> => asVec(value).map(asU128)

const numberAt = (recording: ReplayedRecording, state: string, fact: string): bigint => BigInt(String(recording.valueOf(state, fact)))

describe("what others did to pools between two recorded states, done again", () => {
  it("a deposit into the pool of constant product makes the recorded shares", () => {
    const recording = readReplayed("amm_1")
    const spent = (token: string): bigint =>
      numberAt(recording, "cpNone", `user.${token}`) - numberAt(recording, "cpDeposited", `user.${token}`)
    const { returnValue } = called(
      recording,
      ammLedgerOf(recording, "cpNone"),
      "cpPool",
      "deposit",
      amounts(spent("xlm"), spent("usdc")),
      u128(0n)
    )
    const [used, shares] = asVec(returnValue)
    assert.deepStrictEqual(numbers(used ?? assert.fail("nothing")), [spent("xlm"), spent("usdc")])
    assert.strictEqual(asU128(shares ?? assert.fail("none")), numberAt(recording, "cpDeposited", "cpPool.get_user_shares"))
  })

  it("a deposit out of proportion into the stable pool makes the recorded shares, and costs a fee", () => {
    const recording = readReplayed("amm_1_stable")
    const spent = (token: string): bigint =>
      numberAt(recording, "stableNone", `user.${token}`) - numberAt(recording, "stableDeposited", `user.${token}`)
    const { returnValue } = called(
      recording,
      ammLedgerOf(recording, "stableNone"),
      "stablePool",
      "deposit",
      amounts(spent("usdc"), spent("eurc")),
      u128(0n)
    )
    assert.strictEqual(
      asU128(asVec(returnValue)[1] ?? assert.fail("none")),
      numberAt(recording, "stableDeposited", "stablePool.get_user_shares")
    )
  })

  it("a trade moves the price against the trader, and what is left to the pool is worth more than before", () => {
    const recording = readReplayed("amm_1")
    const state = ammLedgerOf(recording, "cpRewarded")
    const [first = 0n, second = 0n] = (recording.valueOf("cpRewarded", "cpPool.get_reserves") as ReadonlyArray<string>).map(BigInt)
    const sold = 1_000_000_000n
    const bought = asU128(called(recording, state, "cpPool", "swap", u32(0), u32(1), u128(sold), u128(1n)).returnValue)
    // Three thousandths stay in the pool, half of them for the protocol.
    const traded = (sold * 9_970n) / 10_000n
    assert.strictEqual(bought, (traded * second) / (first + traded))
    const kept = first + sold - (sold - traded) / 2n
    assert.isTrue(kept * (second - bought) > first * second)
    const contract = recording.contracts["cpPool"]?.address ?? ""
    for (
      const [args, code] of [
        [[u32(0), u32(1), u128(sold), u128(bought + 1n)], "Error(Contract, #2006)"],
        [[u32(0), u32(0), u128(sold), u128(0n)], "Error(Contract, #2007)"],
        [[u32(0), u32(1), u128(0n), u128(0n)], "Error(Contract, #2018)"]
      ] as const
    ) {
      const told = simulate(recording, state, {
        contract,
        function: "swap",
        source: recording.user,
        args: [addressVal(addressOf(recording.user)), ...args]
      })
      assert.strictEqual(told._tag === "FailedCall" ? told.error.code : "nothing", code)
    }
  })
})

describe("a deposit into a range", () => {
  it("can be taken out again, less than a unit of each token short", () => {
    const recording = readReplayed("amm_1_concentrated")
    const { changes, returnValue } = called(
      recording,
      ammLedgerOf(recording, "clNone"),
      "clPool",
      "deposit",
      amounts(1_000_000_000n, 123_456_789n),
      u128(0n)
    )
    const [used, liquidity] = asVec(returnValue)
    const state = ammLedgerOf(recording, "clNone")
    const after = changes.reduce((so, { after: entry, key }) => (entry === undefined ? so.delete([key]) : so.set(withLife(entry))), state)
    const back = called(recording, after, "clPool", "withdraw", liquidity ?? assert.fail("none"), amounts(0n, 0n)).returnValue
    const [paid0 = 0n, paid1 = 0n] = numbers(back)
    const [used0 = 0n, used1 = 0n] = numbers(used ?? assert.fail("nothing"))
    assert.isTrue(used0 - paid0 >= 0n && used0 - paid0 <= 1n && used1 - paid1 >= 0n && used1 - paid1 <= 1n)
    assert.isTrue(used0 === 1_000_000_000n || used1 === 123_456_789n)
  })
})
