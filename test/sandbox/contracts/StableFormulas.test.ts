import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf, addressVal, asU128, asVec, u128, u32, u64, vec } from "../../../src/ledger/soroban/Values.ts"
import { stableKeys } from "../../../src/sandbox/contracts/amm1/PoolKeys.ts"
import { withInstanceValues } from "../../../src/sandbox/scenarios/Amm1Entries.ts"
import { ammLedgerOf } from "./Amm1Replay.ts"
import { linesOf, readReplayed, type ReplayedRecording, simulate } from "./CallReplay.ts"

const amounts = (...values: ReadonlyArray<bigint>): xdr.ScVal => vec(...values.map(u128))

const numbers = (value: unknown): ReadonlyArray<bigint> => (value as ReadonlyArray<string>).map(BigInt)

const poolOf = ({ contracts }: ReplayedRecording, name: string): string => contracts[name]?.address ?? assert.fail(`no ${name}`)

/** A stable pool's answer when its instance has other values under some keys. */
const answered = (
  recording: ReplayedRecording,
  state: LedgerState,
  pool: string,
  call: { readonly fn: string; readonly args?: ReadonlyArray<xdr.ScVal>; readonly kept?: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> }
) => {
  const contract = poolOf(recording, pool)
  const changed = withInstanceValues(state, addressOf(contract), (storage) => {
    for (const [key, value] of call.kept ?? []) storage.set(key.toXdr("base64"), value)
  })
  const told = simulate(recording, changed, { contract, function: call.fn, source: recording.user, args: call.args ?? [] })
  return told._tag === "SimulatedCall" ? told.returnValue : assert.fail(told.error.message)
}

const deposited = (
  recording: ReplayedRecording,
  state: LedgerState,
  pool: string,
  given: ReadonlyArray<bigint>,
  kept: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> = []
): bigint => {
  const args = [addressVal(addressOf(recording.user)), amounts(...given), u128(0n)]
  return asU128(asVec(answered(recording, state, pool, { fn: "deposit", args, kept }))[1] ?? assert.fail("no shares"))
}

/** The invariant of a pool's tokens: the root of its equation, found by bisection. */
const worthOf = (held: ReadonlyArray<bigint>, amp: bigint): bigint => {
  const count = BigInt(held.length)
  const sum = held.reduce((all, one) => all + one, 0n)
  const product = held.reduce((all, one) => all * one, 1n)
  // amp n sum + d = amp n d + d^(n+1) / (n^n product)
  const isTooMuch = (d: bigint): boolean => {
    const scale = count ** count * product
    return amp * count * d * scale + d ** (count + 1n) > (amp * count * sum + d) * scale
  }
  let [low, high] = [0n, sum + 1n]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isTooMuch(middle)) high = middle
    else low = middle
  }
  return low
}

/** The trustlines of an asset with these balances. */
const withLines = (state: LedgerState, code: string, balance: bigint): LedgerState =>
  linesOf(state, code).reduce((so, key) => {
    const entry = so.get(key)
    if (entry?.data.type !== "trustline") return assert.fail("no trustline")
    const line = new xdr.TrustLineEntry({ ...entry.data.trustLine, balance })
    return so.set([new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.trustline(line) })])
  }, state)

describe("a stable pool", () => {
  const more = readReplayed("amm_1_more")
  const before = ammLedgerOf(more, "allNone")

  it("of three tokens makes the recorded shares of a recorded deposit, and leaves the recorded reserves but for the protocol's part", () => {
    const [from, to] = ["allNone", "allHeld"].map((state) => numbers(more.valueOf(state, "stable3.get_reserves")))
    const given = [200_000_000n, 150_000_000n, 300_000_000n]
    const grown = given.map((_, at) => (to?.[at] ?? 0n) - (from?.[at] ?? 0n))
    assert.isTrue(grown.every((amount, at) => amount <= (given[at] ?? 0n) && amount > (given[at] ?? 0n) - 30_000n))
    assert.strictEqual(
      deposited(more, withLines(before, "AQUA", 1_000_000_000n), "stable3", given),
      BigInt(String(more.valueOf("allHeld", "stable3.get_user_shares")))
    )
  })

  /** The shares for a deposit, by the formulas of the contract's source: `scale` brings amounts to the same decimals. */
  const mintedBy = (
    { amp, fee, given, held, total }:
      & Readonly<Record<"amp" | "fee" | "total", bigint>>
      & Readonly<Record<"given" | "held", ReadonlyArray<bigint>>>,
    scale: ReadonlyArray<bigint>
  ): bigint => {
    const count = BigInt(held.length)
    const worth = (all: ReadonlyArray<bigint>): bigint => worthOf(all.map((one, at) => one * (scale[at] ?? 1n)), amp)
    const after = held.map((one, at) => one + (given[at] ?? 0n))
    const [d0, d1] = [worth(held), worth(after)]
    const left = after.map((one, at) => {
      const ideal = (d1 * (held[at] ?? 0n)) / d0
      const apart = ideal > one ? ideal - one : one - ideal
      return one - (apart * fee * count) / (10_000n * 4n * (count - 1n))
    })
    return (total * (worth(left) - d0)) / d0
  }

  const factsOf = (recording: ReplayedRecording, state: string, pool: string) => {
    const { a, fee } = recording.valueOf(state, `${pool}.get_info`) as { readonly a: string; readonly fee: number }
    return {
      amp: BigInt(a),
      fee: BigInt(fee),
      held: numbers(recording.valueOf(state, `${pool}.get_reserves`)),
      total: BigInt(String(recording.valueOf(state, `${pool}.get_total_shares`)))
    }
  }

  it("of three tokens takes three eighths of its fee of what a deposit is out of proportion by", () => {
    const given = [10_000_000_000n, 0n, 0n]
    const expected = mintedBy({ ...factsOf(more, "allNone", "stable3"), given }, [])
    const minted = deposited(more, before, "stable3", given)
    // The contract's own iteration stops a unit away from the root, and its fees are rounded up.
    assert.isTrue(minted - expected <= 4n && expected - minted <= 4n, `${minted} ${expected}`)
  })

  it("counts tokens of fewer decimals as many times more", () => {
    const recording = readReplayed("amm_1_stable")
    const given = [400_000_000n, 70_000_000n]
    const expected = mintedBy({ ...factsOf(recording, "stableNone", "stablePool"), given }, [1n, 10n])
    const minted = deposited(recording, ammLedgerOf(recording, "stableNone"), "stablePool", given, [[
      stableKeys.decimals,
      vec(u32(7), u32(6))
    ]])
    // A unit of the token of fewer decimals is ten of the shares'.
    assert.isTrue(minted - expected <= 40n && expected - minted <= 40n, `${minted} ${expected}`)
  })

  it("moves its amplification from one value to another in a straight line, both ways, and holds it from then on", () => {
    const now = before.header.closeTime
    const at = (from: bigint, to: bigint, start: bigint, end: bigint): bigint =>
      asU128(answered(more, before, "stable3", {
        fn: "a",
        kept: [
          [stableKeys.initialA, u128(from)],
          [stableKeys.futureA, u128(to)],
          [stableKeys.initialATime, u64(start)],
          [stableKeys.futureATime, u64(end)]
        ]
      }))
    assert.deepStrictEqual(
      [
        at(100n, 1_000n, now - 30n, now + 60n),
        at(1_000n, 100n, now - 30n, now + 60n),
        // A third of 899 is rounded down in both directions.
        at(100n, 999n, now - 30n, now + 60n),
        at(999n, 100n, now - 30n, now + 60n),
        at(100n, 1_000n, now - 90n, now),
        at(100n, 1_000n, now - 89n, now + 1n),
        at(100n, 1_000n, now - 90n, now - 1n),
        at(500n, 500n, now - 30n, now + 60n)
      ],
      [400n, 700n, 399n, 700n, 1_000n, 990n, 1_000n, 500n]
    )
  })
})
