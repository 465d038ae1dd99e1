import { assert, describe, it } from "@effect/vitest"
import { Asset, Networks } from "@stellar/stellar-sdk"
import { Disputes } from "../../src/chain/witness/Disputes.ts"
import type { Contradiction } from "../../src/chain/witness/Statement.ts"
import { partsOf, type Question } from "../../src/chain/witness/Verdict.ts"
import { ContractAddress } from "../../src/domain/Address.ts"
import { SourcesDisagree } from "../../src/domain/failure/Upstream.ts"
import { symbol } from "../../src/ledger/soroban/Values.ts"

/** A question about what was learned, in these words, and about a getter with these arguments. */
const asking = (texts: ReadonlyArray<string>, ...args: ReadonlyArray<string>): Question => ({
  shown: [],
  listed: new Map(),
  claims: texts.map((text) => ({ text, keys: [], holds: () => true })),
  spoken: args.map((arg) => ({
    getters: [{ contract: ContractAddress.make(Asset.native().contractId(Networks.TESTNET)), function: "balance", args: [symbol(arg)] }],
    differs: () => false
  })),
  reached: 0
})

const contradicted = (part: string, about = "contract_entries"): Contradiction => ({ failure: new SourcesDisagree({ about }), part })

describe("what was contradicted", () => {
  it("stands against every question that has a part of it, wherever that is", () => {
    const disputes = new Disputes()
    disputes.add(contradicted("b"))
    assert.deepStrictEqual(disputes.about(asking(["a", "b", "c"]))?.about, "contract_entries")
    assert.isUndefined(disputes.about(asking(["a", "c"])))
    disputes.settle(asking(["a", "c"]))
    assert.isDefined(disputes.about(asking(["b"])))
    disputes.settle(asking(["c", "b"]))
    assert.isUndefined(disputes.about(asking(["b"])))
  })

  it("is told apart by the arguments of a getter", () => {
    const [one = "", ...others] = partsOf(asking([], "X"))
    assert.deepStrictEqual(others, [])
    const disputes = new Disputes()
    disputes.add(contradicted(one, "contract_answers"))
    assert.isDefined(disputes.about(asking([], "Y", "X")))
    assert.isUndefined(disputes.about(asking([], "Y")))
    assert.match(one, /^C[A-Z2-7]{55} balance [\w+/=]+$/)
  })

  it("is remembered 20,000 times", () => {
    const disputes = new Disputes()
    for (let at = 0; at < 20_000; at++) disputes.add(contradicted(`${at}`))
    assert.isDefined(disputes.about(asking(["0"])))
    disputes.add(contradicted("more"))
    assert.isUndefined(disputes.about(asking(["0"])))
    assert.isDefined(disputes.about(asking(["more"])))
  })
})
