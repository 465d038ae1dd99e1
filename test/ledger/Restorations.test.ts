import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { newAccount } from "../../src/ledger/entries/Account.ts"
import { idOfEntry } from "../../src/ledger/EntryId.ts"
import { withRestorations } from "../../src/ledger/Restorations.ts"
import { keyOf } from "../../src/xdr/LedgerKeys.ts"
import { idOf, World } from "./support/World.ts"

const world = new World()
const [one, other] = [world.account(), world.account()]

const entry = (of: Keypair, balance: bigint, lastModifiedLedgerSeq = 9): xdr.LedgerEntry =>
  new xdr.LedgerEntry({
    lastModifiedLedgerSeq,
    data: xdr.LedgerEntryData.account(newAccount(idOf(of), balance, 0n)),
    ext: xdr.LedgerEntryExt.v0()
  })

const { ledgerEntryCreated: created, ledgerEntryRemoved: removed, ledgerEntryRestored: restored, ledgerEntryState: state } =
  xdr.LedgerEntryChange
const { ledgerEntryUpdated: updated } = xdr.LedgerEntryChange

/** The changes of ledger 9, after an entry came back from the archive as it was in ledger 4. */
const told = (...changes: ReadonlyArray<xdr.LedgerEntryChange>) => {
  const archived = entry(one, 1n, 4)
  return withRestorations(changes, new Map([[idOfEntry(archived), archived]]), 9)
}

describe("changes of an operation that brings entries back", () => {
  it("are those of any other where nothing came back", () => {
    const changes = [state(entry(one, 1n)), updated(entry(one, 2n))]
    assert.deepStrictEqual(withRestorations(changes, new Map(), 9), changes)
  })

  it("tell of the return in place of an update that changes nothing", () => {
    assert.deepStrictEqual(told(state(entry(one, 1n, 4)), updated(entry(one, 1n))), [restored(entry(one, 1n))])
    assert.deepStrictEqual(told(created(entry(one, 1n))), [restored(entry(one, 1n))])
  })

  it("tell of the return, as it was, before what was changed", () => {
    for (const change of [updated(entry(one, 2n)), created(entry(one, 2n))]) {
      assert.deepStrictEqual(told(change), [restored(entry(one, 1n)), updated(entry(one, 2n))])
    }
    const gone = removed(keyOf(entry(one, 1n)))
    assert.deepStrictEqual(told(gone), [restored(entry(one, 1n)), gone])
  })

  it("tell of other entries as ever", () => {
    const others = [state(entry(other, 1n)), updated(entry(other, 2n)), removed(keyOf(entry(other, 1n)))]
    assert.deepStrictEqual(told(...others), [...others, restored(entry(one, 1n, 4))])
    const again = restored(entry(one, 1n))
    assert.deepStrictEqual(told(again), [again])
  })
})
