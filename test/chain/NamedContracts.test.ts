import { assert, describe, it } from "@effect/vitest"
import { StrKey } from "@stellar/stellar-sdk"
import { allNamed, type Author, NameGathering, noContracts } from "../../src/chain/history/NamedContracts.ts"
import { emptyHistory, mergedHistory } from "../../src/chain/history/TransactionHistory.ts"
import { ContractAddress } from "../../src/domain/Address.ts"

const contracts = Array.from({ length: 1_200 }, (_, at) => {
  const id = Buffer.alloc(32)
  id.writeUInt32BE(at)
  return ContractAddress.make(StrKey.encodeContract(id))
})

/** What one author names in records of hundred contracts each, then another in further records. */
const named = (...records: ReadonlyArray<readonly [author: Author, from: number, to: number]>) => {
  const gathering = new NameGathering()
  for (const [author, from, to] of records) {
    for (let at = from; at < to; at += 100) gathering.take({ author, called: [], ledger: 1, sequence: null }, contracts.slice(at, at + 100))
  }
  return gathering.names.contracts
}

describe("the contracts that a history names", () => {
  it("are the newest of those that others name, and all of those that the account itself names", () => {
    const found = named(["stranger", 0, 700], ["agreed", 0, 600], ["account", 100, 1_200])
    assert.deepStrictEqual([[...found.stranger], [...found.agreed], [...found.account]], [
      contracts.slice(0, 500),
      contracts.slice(0, 500),
      contracts.slice(100, 1_200)
    ])
    assert.isTrue(found.isCrowded)
    assert.deepStrictEqual(allNamed(found), [...contracts.slice(100, 1_200), ...contracts.slice(0, 100)])
  })

  it("leave nothing out up to their bound, however often each is named", () => {
    const found = named(["stranger", 0, 500], ["stranger", 0, 500], ["agreed", 500, 1_000])
    assert.isFalse(found.isCrowded)
    assert.deepStrictEqual(allNamed(found), [...contracts.slice(500, 1_000), ...contracts.slice(0, 500)])
    assert.isTrue(named(["stranger", 0, 500], ["stranger", 500, 600]).isCrowded)
    assert.isTrue(named(["agreed", 0, 500], ["agreed", 500, 600]).isCrowded)
  })

  it("are bounded also where more came since, and stay crowded", () => {
    const history = (found: typeof noContracts) => ({ ...emptyHistory, contracts: found, newest: 1n })
    const [before, later] = [history(named(["stranger", 0, 300], ["account", 0, 100])), history(named(["stranger", 300, 600]))]
    const merged = mergedHistory(before, later).contracts
    assert.deepStrictEqual([...merged.stranger], [...contracts.slice(300, 600), ...contracts.slice(0, 200)])
    assert.deepStrictEqual([[...merged.account], merged.isCrowded], [contracts.slice(0, 100), true])
    assert.isTrue(mergedHistory(history(merged), history(noContracts)).contracts.isCrowded)
    assert.isFalse(mergedHistory(before, history(noContracts)).contracts.isCrowded)
  })
})
