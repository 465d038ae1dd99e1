import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import type { EndpointAnswer } from "../../src/chain/witness/NewestEntries.ts"
import { Confirmation } from "../../src/close/watch/Confirmation.ts"
import { SourcesDisagree } from "../../src/domain/failure/Upstream.ts"
import { newAccount } from "../../src/ledger/entries/Account.ts"

const mediator = Keypair.random().xdrPublicKey()

let origins = 0

/** What an endpoint of an origin of its own at a ledger shows of an account: a balance since an earlier ledger, or null: that it is gone. */
const answer = (ledger: number, entry: { readonly balance: bigint; readonly since: number } | null): EndpointAnswer => ({
  origin: `https://${++origins}.example`,
  ledger,
  readAt: ledger,
  header: {
    sequence: ledger,
    closeTime: 0n,
    protocolVersion: 23,
    baseFee: 100,
    baseReserve: 5_000_000,
    idPool: 0n,
    flags: 0
  },
  entries: entry === null ? [] : [
    new xdr.LedgerEntry({
      lastModifiedLedgerSeq: entry.since,
      data: xdr.LedgerEntryData.account(newAccount(mediator, entry.balance, 7n)),
      ext: xdr.LedgerEntryExt.v0()
    })
  ]
})

const [had, has] = [{ balance: 10n, since: 3 }, { balance: 9n, since: 8 }]

/** Checks that no answer is believed, since they contradict each other about the account. */
const assertContradicted = (told: EndpointAnswer | SourcesDisagree | null): void => {
  assert.instanceOf(told, SourcesDisagree)
  assert.strictEqual(told.about, "account")
}

describe("what several endpoints show of an account", () => {
  it("is believed where one answers alone, where all show the same, and where they differ by what came later", () => {
    const newest = answer(9, has)
    for (const others of [[], [answer(9, has)], [answer(8, has), answer(5, had)], [answer(9, { balance: 1n, since: 10 })]]) {
      assert.strictEqual(new Confirmation().believed([newest, ...others]), newest)
    }
    const gone = answer(9, null)
    for (const others of [[answer(9, null)], [answer(9, { balance: 1n, since: 10 })]]) {
      assert.strictEqual(new Confirmation().believed([gone, ...others]), gone)
    }
  })

  it("is that of the endpoint that is ahead", () => {
    const newest = answer(9, has)
    assert.strictEqual(new Confirmation().believed([answer(8, has), newest, answer(8, has)]), newest)
  })

  it("is not believed where one that has reached the ledger of the change shows otherwise", () => {
    const newest = answer(9, has)
    const others = [answer(8, had), answer(8, { ...has, balance: 8n }), answer(9, { ...has, since: 9 }), answer(8, null)]
    for (const other of others) {
      assertContradicted(new Confirmation().believed([newest, other]))
      assertContradicted(new Confirmation().believed([newest, answer(9, has), other]))
    }
    assertContradicted(new Confirmation().believed([answer(9, null), answer(9, has)]))
  })

  it("waits for a later ledger where no other has reached that of the change, and for no other after it", () => {
    const late = answer(7, had)
    for (const entry of [has, null]) {
      const confirmation = new Confirmation()
      for (const ledger of [9, 9]) assert.isNull(confirmation.believed([answer(ledger, entry), late]))
      const later = answer(10, entry)
      assert.strictEqual(confirmation.believed([later, late]), later)
      assert.isNull(confirmation.believed([answer(11, entry), late]))
    }
  })

  it("is not believed of one that shows a new change at each look, where its earlier one was not true", () => {
    const confirmation = new Confirmation()
    const lie = (ledger: number) => answer(ledger, { balance: 1n, since: ledger })
    assert.isNull(confirmation.believed([lie(9), answer(8, has)]))
    for (const ledger of [10, 11, 12]) {
      assertContradicted(confirmation.believed([lie(ledger), answer(ledger - 1, has)]))
    }
    const truth = answer(13, has)
    assert.strictEqual(confirmation.believed([truth, answer(13, has)]), truth)
  })

  it("is believed of one whose earlier change is true, or was followed by another", () => {
    for (const other of [answer(9, { balance: 5n, since: 9 }), answer(10, { balance: 6n, since: 10 }), answer(10, null)]) {
      const confirmation = new Confirmation()
      assert.isNull(confirmation.believed([answer(9, { balance: 5n, since: 9 }), answer(8, has)]))
      const newest = answer(11, { balance: 7n, since: 11 })
      assert.strictEqual(confirmation.believed([newest, other]), newest)
    }
  })
})
