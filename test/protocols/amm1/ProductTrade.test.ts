import { assert, it } from "@effect/vitest"
import { productPaid } from "../../../src/protocols/amm1/PoolMarket.ts"

// Figures of the contract's own tests (`liquidity_pool/src/test.rs`): one token of a hundred, at every fee.
it("a pool of constant product pays what its contract's tests say, by its fee", () => {
  const paid = [0n, 10n, 30n, 100n, 1_000n, 3_000n, 5_000n].map((fee) =>
    productPaid({ sold: 1_000_000_000n, bought: 1_000_000_000n, fee }, 10_000_000n)
  )
  assert.deepStrictEqual(paid, [9_900_990n, 9_891_187n, 9_871_580n, 9_802_950n, 8_919_722n, 6_951_340n, 4_975_124n])
  assert.strictEqual(productPaid({ sold: 1_000_000_000n, bought: 1_000_000_000n, fee: 30n }, 100n), 98n)
})

it("and nothing where it is empty on one side, or where the fee takes it all", () => {
  assert.isNull(productPaid({ sold: 0n, bought: 5n, fee: 30n }, 100n))
  assert.isNull(productPaid({ sold: 5n, bought: 0n, fee: 30n }, 100n))
  assert.strictEqual(productPaid({ sold: 5n, bought: 5n, fee: 10_000n }, 100n), 0n)
})
