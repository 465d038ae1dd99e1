import { assert, it } from "@effect/vitest"
import { showTime } from "../../src/sandbox/ShowTime.ts"

it("writes times to the second, far ones with a plus sign", () => {
  assert.strictEqual(showTime(0n), "1970-01-01T00:00:00Z")
  assert.strictEqual(showTime(1_893_456_000n), "2030-01-01T00:00:00Z")
  assert.strictEqual(showTime(253_402_300_800n), "+10000-01-01T00:00:00Z")
  assert.strictEqual(showTime((1n << 63n) - 1n), "+292277026596-12-04T15:30:07Z")
})
