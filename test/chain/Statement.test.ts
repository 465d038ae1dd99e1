import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import type { ShownEntry } from "../../src/chain/Pin.ts"
import { contradiction } from "../../src/chain/witness/Statement.ts"
import { i128, symbol } from "../../src/ledger/soroban/Values.ts"
import { changed, token } from "../close/leaving/support/Simulating.ts"

/** An entry of a token with a value, changed last in a ledger and shown on another. */
const shown = (value: bigint, lastModifiedLedgerSeq: number, latestLedger: number): ShownEntry => {
  const { after, key } = changed(token, symbol("Entry"), null, i128(value))
  if (after === null) throw new Error("no entry")
  const entry = Object.assign(after, { lastModifiedLedgerSeq })
  return { key, latestLedger, live: Option.some({ key, entry, liveUntilLedger: 999, latestLedger }) }
}

const statement = (first: ShownEntry, holds = true) => ({
  shown: [first],
  listed: new Map(),
  claims: [{ text: "learned", keys: [first.key], holds: () => holds }]
})

describe("what a second endpoint shows of an entry", () => {
  const first = shown(1n, 90, 100)

  it("agrees where it is the same on a later ledger", () => assert.isNull(contradiction(statement(first), [shown(1n, 90, 103)])))

  it("is never taken for the same where it changed since: the first is outdated", () => {
    assert.deepInclude(contradiction(statement(first), [shown(2n, 102, 103)]), { _tag: "ContractRpcLagging", behind: 3 })
  })

  it("contradicts the first where it differs and did not change since", () => {
    assert.strictEqual(contradiction(statement(first), [shown(2n, 95, 103)])?._tag, "SourcesDisagree")
  })

  it("contradicts what was learned where it does not bear it out", () => {
    assert.strictEqual(contradiction(statement(first, false), [shown(1n, 90, 103)])?._tag, "SourcesDisagree")
  })
})
