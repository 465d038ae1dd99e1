import { assert, it } from "@effect/vitest"
import { paidBy } from "../../../src/protocols/amm2/PairMarket.ts"

// The arithmetic of the contracts' library, computed by hand: a fee of three in a thousand rounded up, then the product.
it("a pair pays by the product of its reserves, three in a thousand rounded up taken off first", () => {
  const even = { sold: 1_000_000n, bought: 1_000_000n }
  // 3.003 is a fee of 4: 997 of 1,000,997.
  assert.strictEqual(paidBy(even, 1_001n), 996n)
  assert.strictEqual(paidBy(even, 1_000n), 996n)
  assert.strictEqual(paidBy({ sold: 1_000_000n, bought: 3_000_000n }, 500_000n), 997_997n)
  assert.strictEqual(paidBy({ sold: 3n, bought: 10n ** 18n }, 2n), 250_000_000_000_000_000n)
})

it("and nothing where it comes to nothing, or is beyond what the contracts reckon with", () => {
  const even = { sold: 1_000_000n, bought: 1_000_000n }
  assert.isNull(paidBy(even, 1n))
  assert.isNull(paidBy(even, 0n))
  assert.isNull(paidBy({ sold: 0n, bought: 5n }, 100n))
  assert.isNull(paidBy({ sold: 5n, bought: 0n }, 100n))
  assert.isNull(paidBy({ sold: 10n ** 18n, bought: 10n }, 1_000n))
  assert.isNull(paidBy({ sold: 1n << 64n, bought: 1n << 64n }, 1_000n))
  assert.isNull(paidBy(even, 1n << 126n))
})
