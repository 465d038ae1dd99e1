import { assert, it } from "@effect/vitest"
import { poolPaid } from "../../../src/protocols/amm3/PoolMarket.ts"

// Figures of the contract's own tests (`contracts/pool/src/tests/swap.rs`, `contracts/pool/src/contract.rs`).
it("a pool pays what its contract's tests say", () => {
  const even = { sold: 100_000_000_000_000n, bought: 100_000_000_000_000n, fee: 0n, mostSpread: 100n }
  assert.strictEqual(poolPaid(even, 1_000_000_000_000n)?.paid, 990_099_009_901n)
  assert.strictEqual(
    poolPaid({ sold: 99_009_900_990_099n, bought: 101_000_000_000_000n, fee: 0n, mostSpread: 200n }, 1_000_000_000_000n)?.paid,
    1_009_900_009_901n
  )
  assert.deepStrictEqual(poolPaid({ sold: 1_000n, bought: 2_000n, fee: 1_000n, mostSpread: 1_000n }, 100n), { paid: 164n, fee: 18n })
})

it("and nothing where the price moves further than it allows, where its fee is everything, or where rounding would beat its price", () => {
  const books = { sold: 1_000n, bought: 2_000n, fee: 1_000n, mostSpread: 990n }
  // 18 less than 200, of 182: slightly more than 9.89 per cent.
  assert.isNotNull(poolPaid(books, 100n))
  assert.isNull(poolPaid({ ...books, mostSpread: 989n }, 100n))
  assert.isNull(poolPaid({ ...books, fee: 10_000n }, 100n))
  // 2/3 of a unit is zero at the old price, and one unit by the remaining product.
  assert.isNull(poolPaid({ sold: 3_000n, bought: 2_000n, fee: 0n, mostSpread: 10_000n }, 1n))
  assert.isNull(poolPaid({ ...books, sold: 0n }, 100n))
  assert.isNull(poolPaid(books, 0n))
  assert.isNull(poolPaid({ ...books, bought: 1n << 126n, mostSpread: 10_000n }, 1_000n))
})
