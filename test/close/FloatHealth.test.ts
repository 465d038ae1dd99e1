import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { floatHealth } from "../../src/close/mediator/FloatHealth.ts"
import { withFields } from "../../src/ledger/entries/Account.ts"
import { baseReserve, World } from "../ledger/support/World.ts"

const limits = { warn: 10n, max: 100n }
const byHand = { isOn: false, trouble: Option.none() }

const mediator = (above: bigint, thresholds = Uint8Array.of(1, 0, 0, 0)) => {
  const world = new World()
  return withFields(world.get(world.account(2n * baseReserve + above)), { thresholds })
}

const told = (account: Parameters<typeof floatHealth>[0], sweeping: Parameters<typeof floatHealth>[3] = byHand) =>
  floatHealth(account, Number(baseReserve), limits, sweeping)

const up = (message: string) => ({ status: "up", message }) as const

describe("the health of a mediator", () => {
  it("has no message while it holds its reserve, and up to what is tolerated", () => {
    assert.deepStrictEqual([0n, 10n].map((above) => told(mediator(above))), [{ status: "up" }, { status: "up" }])
  })

  it("tells of an account that is missing, too poor, or not the key's own to sign for", () => {
    assert.deepStrictEqual(told(null), up("its account does not exist: fund it with the base reserve"))
    assert.deepStrictEqual(told(mediator(-1n)), up("it holds less than its base reserve, so payments through it fail; fund it"))
    assert.deepStrictEqual(told(mediator(5n, Uint8Array.of(1, 0, 2, 0))), up("its key cannot sign a payment alone"))
    assert.deepStrictEqual(told(mediator(5n, Uint8Array.of(2, 0, 2, 0))), { status: "up" })
  })

  it("tells of a surplus, and above the limit that it is paused", () => {
    assert.deepStrictEqual([11n, 100n, 101n].map((above) => told(mediator(above))), [
      up("it holds 0.0000011 lumens beyond its reserve; run npm run mediator:sweep"),
      up("it holds 0.0000100 lumens beyond its reserve; run npm run mediator:sweep"),
      up("paused: it holds 0.0000101 lumens beyond its reserve; run npm run mediator:sweep")
    ])
  })

  it("tells what is done about a surplus", () => {
    const swept = [{ isOn: true, trouble: Option.none() }, { isOn: true, trouble: Option.some("no trustline") }]
    assert.deepStrictEqual(swept.map((sweeping) => told(mediator(11n), sweeping)), [
      up("it holds 0.0000011 lumens beyond its reserve; it is being moved"),
      up("it holds 0.0000011 lumens beyond its reserve; it could not be moved: no trustline")
    ])
  })
})
