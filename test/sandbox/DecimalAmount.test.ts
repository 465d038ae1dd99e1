import { assert, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { readAmount, showAmount, showPrice } from "../../src/sandbox/DecimalAmount.ts"

const Stroops = Schema.BigIntFromSelf.pipe(Schema.betweenBigInt(0n, (1n << 63n) - 1n))

it.prop("reads what it shows", [Stroops], ([amount]) => {
  assert.deepStrictEqual(readAmount(showAmount(amount)), Option.some(amount))
})

it("shows seven decimals and reads up to seven", () => {
  assert.strictEqual(showAmount(1n), "0.0000001")
  assert.strictEqual(showAmount(-25_000_000n), "-2.5000000")
  assert.deepStrictEqual(readAmount("12.5"), Option.some(125_000_000n))
  for (const wrong of ["", "1.", ".5", "1.12345678", "-1", "1e3", "922337203685.4775808"]) {
    assert.isTrue(Option.isNone(readAmount(wrong)), wrong)
  }
})

it("rounds prices half up", () => {
  assert.strictEqual(showPrice(51, 20), "2.5500000")
  assert.strictEqual(showPrice(2, 3), "0.6666667")
  assert.strictEqual(showPrice(1, 20_000_000), "0.0000001")
  assert.strictEqual(showPrice(1, 20_000_001), "0.0000000")
})
