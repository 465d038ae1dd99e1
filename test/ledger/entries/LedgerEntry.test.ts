import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { entrySponsor, newEntry, withSponsor } from "../../../src/ledger/entries/LedgerEntry.ts"
import { idOf, World } from "../support/World.ts"

const world = new World()
const [owner, sponsor] = [idOf(world.account()), idOf(world.account())]
const data = xdr.LedgerEntryData.account(newAccount(owner, 1n, 1n))

describe("an entry", () => {
  it("is made without a sponsor, and was never changed", () => {
    const entry = newEntry(data)
    assert.deepStrictEqual([entry.lastModifiedLedgerSeq, entry.data, entry.ext.type], [0, data, "v0"])
    assert.isUndefined(entrySponsor(entry))
  })

  it("gets a sponsor, loses it, and keeps the place of one", () => {
    const sponsored = withSponsor(new xdr.LedgerEntry({ ...newEntry(data), lastModifiedLedgerSeq: 9 }), sponsor)
    assert.deepStrictEqual(entrySponsor(sponsored), sponsor)
    assert.deepStrictEqual([sponsored.lastModifiedLedgerSeq, sponsored.data], [9, data])
    const alone = withSponsor(sponsored, undefined)
    assert.isUndefined(entrySponsor(alone))
    assert.strictEqual(alone.ext.type, "v1")
  })
})
