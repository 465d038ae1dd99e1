import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { FastCheck as fc } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { PoolId } from "../../src/domain/Ledger.ts"
import { withdrawalAmount } from "../../src/ledger/exchange/Pool.ts"
import type { Around } from "../../src/operations/Around.ts"
import { LiquidityPoolWithdraw } from "../../src/operations/LiquidityPoolWithdraw.ts"

const source = AccountAddress.make(Keypair.random().publicKey())

/** Whether a withdrawal is admitted, independent of its surroundings. */
const isAdmitted = (shares: bigint, minAmountA: bigint, minAmountB: bigint): boolean =>
  LiquidityPoolWithdraw.admits({
    type: "liquidity_pool_withdraw",
    source,
    poolId: PoolId.make("00".repeat(32)),
    shares: stroops(shares),
    minAmountA: stroops(minAmountA),
    minAmountB: stroops(minAmountB)
  }, {} as Around).length === 0

const root = (square: bigint): bigint => {
  let [low, high] = [0n, square + 1n]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle * middle <= square) low = middle
    else high = middle
  }
  return low
}

const reserve = fc.bigInt({ min: 1n, max: 10n ** 15n })

/** A pool whose first deposit created its shares, with later trades that multiplied one reserve, and shares in it. */
const held = fc.record({
  a: reserve,
  b: reserve,
  grown: fc.bigInt({ min: 1_000n, max: 3_000n }),
  part: fc.double({ min: 0, max: 1, noNaN: true })
})
  .map(({ a, b, grown, part }) => {
    const total = root(a * b)
    const few = part < 0.5 ? 1n : 1n + BigInt(Math.floor(Number(total) * (part - 0.5) ** 8))
    return { a: (a * grown) / 1_000n, b, total, shares: few > total ? total : few }
  })

const floorOf = (amount: bigint, slippage: bigint): bigint => {
  const floor = (amount * (10_000n - slippage)) / 10_000n
  return amount > 0n && floor === 0n ? 1n : floor
}

describe("the minima of a withdrawal from a pool", () => {
  it("are admitted as a pool makes them, also where it pays nothing of one asset", () => {
    let small = 0
    fc.assert(fc.property(held, fc.bigInt({ min: 0n, max: 5_000n }), ({ a, b, shares, total }, slippage) => {
      const pays = [a, b].map((one) => withdrawalAmount(shares, total, one))
      const [minA = 0n, minB = 0n] = pays.map((one) => floorOf(one, slippage))
      if (pays.includes(0n)) small++
      assert.isTrue(isAdmitted(shares, minA, minB), `${shares} of ${total} pay ${pays.join(" and ")}`)
    }))
    assert.isAbove(small, 10)
  })

  it("are nothing of one asset only for half of the square of the shares of the other", () => {
    assert.isTrue(isAdmitted(10n, 0n, 50n))
    assert.isTrue(isAdmitted(10n, 50n, 0n))
    assert.isFalse(isAdmitted(10n, 0n, 49n))
    assert.isFalse(isAdmitted(10n, 49n, 0n))
    assert.isFalse(isAdmitted(10_000_000n, 10_000_000n, 0n))
    assert.isTrue(isAdmitted(1n, 0n, 1n))
    for (const shares of [1n, 2n, 10n]) assert.isFalse(isAdmitted(shares, 0n, 0n))
    assert.isTrue(isAdmitted(10_000_000n, 1n, 1n))
  })
})
