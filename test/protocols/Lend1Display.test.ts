import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { PositionRow } from "../../src/domain/Position.ts"
import type { LedgerView } from "../../src/protocols/kit/LedgerView.ts"
import { decodePlaces } from "../../src/protocols/Place.ts"
import { cases } from "./support/Cases.ts"
import { recorded } from "./support/Recorded.ts"

const v2 = recorded("lend_1")
const backstop = recorded("lend_1_backstop")

const rowsIn = (name: string, view?: LedgerView): ReadonlyArray<PositionRow> => {
  const one = cases.find((each) => each.name === name) ?? assert.fail(`no case ${name}`)
  return decodePlaces(one.protocol.places, one.user, view ?? one.held).positions.flatMap(({ rows }) => rows)
}

const displaysIn = (name: string, view?: LedgerView) => rowsIn(name, view).map(({ display }) => display)

const Reserve = Schema.Struct({ data: Schema.Struct({ b_rate: Schema.BigInt, d_rate: Schema.BigInt }) })

/** Yearly growth of a recorded rate between two states in per cent, with two decimals, cut off. */
const grown = (recording: typeof v2, pool: string, asset: string, rate: "b_rate" | "d_rate", from: string, to: string): string => {
  const [before, after] = [from, to].map((state) =>
    Schema.decodeUnknownSync(Reserve)(recording.fact(state, `${pool}.reserve(${asset})`)).data[rate]
  )
  const seconds = recording.view(to).closeTime - recording.view(from).closeTime
  const hundredths = (((after ?? 0n) - (before ?? 0n)) * 31_536_000n * 10_000n) / ((before ?? 1n) * seconds)
  return `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, "0")}`
}

describe("rows of lend_1 in words and in the asset's own units", () => {
  it("amounts are those that the recorded exit moved, yields those by which the recorded rates grew, and one clause tells the rewards", () => {
    const rewards = "Rewards to claim in the pool as a whole: 8186.0079387 BLND."
    const growth = (asset: string, rate: "b_rate" | "d_rate") => grown(v2, "pool", asset, rate, "collateralAndBorrow", "interest3d")
    assert.deepStrictEqual([growth("xlm", "b_rate"), growth("usdc", "b_rate"), growth("eurc", "d_rate")], ["0.03", "0.12", "1.06"])
    const common = { pool: "Recorded", detail: rewards }
    assert.deepStrictEqual(displaysIn("lend_1 pool v2"), [
      { ...common, asset: "XLM", amount: "20000.0503509", collateralAmount: "20000.0503509", yieldPct: "0.03", yieldKind: "earned" },
      { ...common, asset: "USDC", amount: "300.0030758", collateralAmount: null, yieldPct: "0.12", yieldKind: "earned" },
      { ...common, asset: "EURC", amount: "500.0436644", collateralAmount: null, yieldPct: "1.06", yieldKind: "paid" }
    ])
    assert.isTrue(
      rowsIn("lend_1 pool v2").every(({ usdValue, wasmHash }) => usdValue === null && wasmHash === v2.contracts["pool"]?.wasmHash)
    )
  })

  it("so it is in pools of the first version", () => {
    const shown = displaysIn("lend_1 pool v1").map((
      display
    ) => [display?.asset, display?.amount, display?.collateralAmount, display?.yieldKind, display?.detail])
    assert.deepStrictEqual(shown, [
      ["XLM", "10000.0000000", "10000.0000000", "earned", null],
      ["USDC", "250.0228177", null, "earned", null],
      ["EURC", "200.0168494", null, "paid", null]
    ])
  })

  it("a deposit in the backstop is worth deposited tokens, and says what unlocks when and what can be claimed", () => {
    const queued = displaysIn("lend_1 backstop", backstop.view("backstopQueued"))
    assert.deepStrictEqual(queued.map((display) => [display?.pool, display?.asset, display?.amount, display?.yieldPct, display?.detail]), [[
      "Recorded",
      "CPAL",
      "1166.3501434",
      null,
      "583.1750717 shares unlock at 2026-12-19T02:13:20Z; 583.1750717 shares unlock at 2026-12-21T02:13:20Z; rewards to claim: 1252.2505750 BLND."
    ]])
    assert.deepStrictEqual(displaysIn("lend_1 backstop", backstop.view("backstopClaimed"))[0]?.detail ?? null, null)
  })
})
