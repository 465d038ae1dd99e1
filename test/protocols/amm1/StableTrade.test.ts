import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { ContractHost } from "../../../src/ledger/soroban/Contract.ts"
import { u128, u64 } from "../../../src/ledger/soroban/Values.ts"
import { amplificationAt, stablePaid } from "../../../src/protocols/amm1/StableTrade.ts"
import { stableKeys } from "../../../src/sandbox/contracts/amm1/PoolKeys.ts"
import { amplification } from "../../../src/sandbox/contracts/amm1/StableInvariant.ts"
import { stableSwap } from "../../../src/sandbox/contracts/amm1/StableSwap.ts"

interface Ramp {
  readonly from: bigint
  readonly to: bigint
  readonly start: bigint
  readonly end: bigint
}

const fails = (why: string) => (): never => {
  throw new Error(why)
}

/** The parts of a host that the model's arithmetic uses: its instance, the time, and the end of a call. */
const hostAt = (timestamp: bigint, { end, from, start, to }: Ramp): ContractHost => {
  const kept = new Map(
    [[stableKeys.initialA, u128(from)], [stableKeys.futureA, u128(to)], [stableKeys.initialATime, u64(start)], [
      stableKeys.futureATime,
      u64(end)
    ]] as const
  )
  const byText = new Map([...kept].map(([key, value]) => [key.toXdr("base64"), value]))
  const host: Partial<ContractHost> = {
    instance: { get: (key) => byText.get(key.toXdr("base64")), has: () => true, set: fails("written"), remove: fails("removed") },
    ledger: { sequence: 1, timestamp, protocolVersion: 28, networkId: new Uint8Array(32), maxLiveUntil: 1 },
    extendInstance: () => undefined,
    fail: fails("failed"),
    trap: fails("trapped")
  }
  // The arithmetic uses no other part of a host.
  return host as ContractHost
}

const ramp = fc.record({
  from: fc.bigInt(1n, 100_000n),
  to: fc.bigInt(1n, 100_000n),
  start: fc.bigInt(0n, 1_000n),
  end: fc.bigInt(1_001n, 5_000n)
})

describe("what a stable pool pays", () => {
  it("is what the model of the contract pays, to the last unit, and nothing where that fails", () => {
    const seen = { paid: 0, refused: 0 }
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4 }).chain((count) =>
          fc.record({
            reserves: fc.array(fc.bigInt(1_000n, 10n ** 15n), { minLength: count, maxLength: count }),
            decimals: fc.array(fc.integer({ min: 5, max: 12 }), { minLength: count, maxLength: count }),
            from: fc.integer({ min: 0, max: count - 1 }),
            to: fc.integer({ min: 0, max: count - 1 })
          })
        ),
        fc.record({
          ramp,
          now: fc.bigInt(1_000n, 6_000n),
          fee: fc.bigInt(0n, 1_000n),
          protocol: fc.bigInt(0n, 10_000n),
          amount: fc.bigInt(1n, 10n ** 15n)
        }),
        ({ decimals, from, reserves, to }, { amount, fee, now, protocol, ramp: drawn }) => {
          fc.pre(from !== to)
          const host = hostAt(now, drawn)
          const amp = amplificationAt(drawn, now)
          assert.strictEqual(amp, amplification(host))
          const most = Math.max(...decimals)
          const books = { held: reserves, scales: decimals.map((own) => 10n ** BigInt(most - own)), fee, protocolFraction: protocol }
          const expected = (() => {
            try {
              return stableSwap(host, books, { from, to, amount }).paid
            } catch {
              return null
            }
          })()
          const paid = stablePaid({ reserves, decimals, amplification: amp ?? 0n, fee }, { from, to, amount })
          assert.strictEqual(paid, expected)
          seen[paid === null ? "refused" : "paid"]++
        }
      ),
      { numRuns: 800, seed: 11 }
    )
    assert.isAbove(seen.paid, 400)
    assert.isAbove(seen.refused, 10)
  })

  // `liquidity_pool_stableswap/src/test.rs`.
  it("is what the tests of its contract say, and what the model says", () => {
    const cases = [
      {
        reserves: [2_000_000_000n, 2_000_000_000n],
        decimals: [7, 7],
        amp: 10n,
        fee: 2_000n,
        from: 0,
        to: 1,
        amount: 100_000_000n,
        paid: 79_709_763n
      },
      { reserves: [1_000_000_000n, 1_000_000_000n], decimals: [7, 7], amp: 10n, fee: 30n, from: 0, to: 1, amount: 100n, paid: 98n },
      {
        reserves: [8_734_464n, 1_000_000_000n, 789_020n, 789_020n],
        decimals: [7, 7, 7, 7],
        amp: 85n,
        fee: 50n,
        from: 2,
        to: 1,
        amount: 2n,
        paid: 570n
      }
    ]
    for (const { amount, amp, decimals, fee, from, paid, reserves, to } of cases) {
      assert.strictEqual(stablePaid({ reserves, decimals, amplification: amp, fee }, { from, to, amount }), paid)
      const host = hostAt(9n, { from: amp, to: amp, start: 0n, end: 0n })
      const books = { held: reserves, scales: reserves.map(() => 1n), fee, protocolFraction: 5_000n }
      assert.strictEqual(stableSwap(host, books, { from, to, amount }).paid, paid)
    }
  })

  it("grows and shrinks with its amplification, which is that of the end from the end on", () => {
    const up = { from: 100n, to: 200n, start: 1_000n, end: 2_000n }
    const down = { ...up, from: 200n, to: 100n }
    assert.deepStrictEqual([1_000n, 1_501n, 1_999n, 2_000n, 9_000n].map((now) => amplificationAt(up, now)), [100n, 150n, 199n, 200n, 200n])
    assert.deepStrictEqual([1_000n, 1_501n, 1_999n, 2_000n].map((now) => amplificationAt(down, now)), [200n, 150n, 101n, 100n])
    assert.isNull(amplificationAt(up, 999n))
    const books = { reserves: [1_000_000n, 3_000_000n], decimals: [7, 7], fee: 0n }
    const paid = (amplification: bigint) => stablePaid({ ...books, amplification }, { from: 0, to: 1, amount: 100_000n }) ?? 0n
    assert.isTrue(paid(1n) > paid(100n) && paid(100n) >= 100_000n)
  })

  it("is nothing where a token is not there, or where numbers are beyond the contract", () => {
    const books = { reserves: [1_000_000n, 0n, 1_000_000n], decimals: [7, 7, 7], fee: 0n, amplification: 100n }
    assert.isNull(stablePaid(books, { from: 0, to: 2, amount: 1_000n }))
    assert.isNull(stablePaid({ ...books, reserves: [1n << 126n, 1n << 126n, 1n << 126n] }, { from: 0, to: 2, amount: 1n << 120n }))
  })
})
