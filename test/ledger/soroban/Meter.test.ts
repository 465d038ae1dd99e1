import { assert, describe, it } from "@effect/vitest"
import { HostError } from "../../../src/ledger/soroban/HostError.ts"
import { Meter } from "../../../src/ledger/soroban/Meter.ts"

describe("a meter", () => {
  it("counts up to its limit, and ends the call beyond it", () => {
    const meter = new Meter(100)
    assert.strictEqual(meter.used, 0)
    meter.charge(60)
    meter.charge(40)
    assert.deepStrictEqual([meter.used, meter.isEndless], [100, false])
    assert.throws(
      () => meter.charge(1),
      HostError,
      /^HostError: Error\(Budget, ExceededLimit\): operation instructions exceeds amount specified$/
    )
    assert.deepStrictEqual([meter.used, meter.isEndless], [101, false])
  })

  it("without a limit counts on, and knows what never ends", () => {
    const meter = new Meter(Number.POSITIVE_INFINITY)
    meter.charge(5_000_000_000)
    assert.deepStrictEqual([meter.used, meter.isEndless], [5_000_000_000, false])
    meter.charge(Number.POSITIVE_INFINITY)
    assert.deepStrictEqual([meter.used, meter.isEndless], [Number.POSITIVE_INFINITY, true])
  })

  it("with a limit ends what never ends", () => {
    const meter = new Meter(1_000)
    assert.throws(() => meter.charge(Number.POSITIVE_INFINITY), HostError, /Budget, ExceededLimit/)
    assert.isTrue(meter.isEndless)
  })
})
