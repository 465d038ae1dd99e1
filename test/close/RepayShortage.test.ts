import { assert, describe, it } from "@effect/vitest"
import { earnedBy } from "../../src/close/situation/RepayShortage.ts"
import { noClaims } from "../../src/close/situation/RewardJudge.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { pool, stranger, token } from "./leaving/support/Simulating.ts"
import { exitOf } from "./support/SmallClose.ts"

const usd = AssetId.make(`USD:${stranger}`)
const assets = new Map([[token, usd], [pool, native]])

const earning = exitOf({
  position: {
    rewards: [
      { token, amount: 5n, claim: "claim" },
      { token: pool, amount: 3n, claim: "claim" },
      { token, amount: 7n, claim: "claim_gauges" }
    ]
  }
})

describe("what a position has earned of an asset", () => {
  it("is the sum of its rewards in it", () => {
    assert.deepStrictEqual([...earnedBy(earning, assets)], [[usd, 12n], [native, 3n]])
  })

  it("leaves out what was claimed lately, and what is no asset of the ledger", () => {
    const claimed = { ...earning, claims: { ...noClaims, made: new Set(["claim"]) } }
    assert.deepStrictEqual([...earnedBy(claimed, assets)], [[usd, 7n]])
    assert.deepStrictEqual([...earnedBy(earning, new Map())], [])
  })
})
