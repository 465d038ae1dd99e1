import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import type { Confirmation } from "../../src/account/Confirmation.ts"
import type { Listing } from "../../src/account/Listing.ts"
import { isSplitRead } from "../../src/account/SplitRead.ts"
import type { Sponsorships } from "../../src/account/Sponsorships.ts"
import { subEntryMismatch } from "../../src/account/SubEntries.ts"
import { AccountAddress } from "../../src/domain/Address.ts"

const owner = Keypair.random()
const address = AccountAddress.make(owner.publicKey())

const account = (numSubEntries = 0): xdr.AccountEntry =>
  new xdr.AccountEntry({
    accountId: owner.xdrPublicKey(),
    balance: 1n,
    seqNum: 7n,
    numSubEntries,
    inflationDest: null,
    flags: 0,
    homeDomain: "",
    thresholds: new Uint8Array([1, 0, 0, 0]),
    signers: [],
    ext: xdr.AccountEntryExt.v0()
  })

const entry = (lastModifiedLedgerSeq: number, data: xdr.LedgerEntryData): xdr.LedgerEntry =>
  new xdr.LedgerEntry({ lastModifiedLedgerSeq, data, ext: xdr.LedgerEntryExt.v0() })

const note = (lastModifiedLedgerSeq: number): xdr.LedgerEntry =>
  entry(
    lastModifiedLedgerSeq,
    xdr.LedgerEntryData.data(
      new xdr.DataEntry({ accountId: owner.xdrPublicKey(), dataName: "note", dataValue: new Uint8Array(1), ext: xdr.DataEntryExt.v0() })
    )
  )

const listing = (over: { readonly sequence?: bigint; readonly lastModifiedLedger?: number } | null, latestLedger = 50): Listing => ({
  address,
  unlisted: false,
  account: over === null ? null : {
    address,
    sequence: 7n,
    lastModifiedLedger: 40,
    numSubEntries: 1,
    numSponsoring: 0,
    numSponsored: 0,
    lumens: null,
    sponsor: null,
    trustlines: [],
    poolShares: [],
    signers: [],
    mediumThreshold: null,
    data: new Map(),
    latestLedger: 50,
    ...over
  },
  offers: [],
  claimableBalances: [],
  claimableComplete: true,
  claimablePartial: [],
  claimableNamed: [],
  latestLedger,
  newestLedger: 50
})

const sponsoring: Sponsorships = { sponsoredEntries: [], reserves: 0, listedAt: Number.POSITIVE_INFINITY, answers: [] }

const confirmation = (over: Partial<Omit<Confirmation, "header">> = {}): Confirmation => ({
  _tag: "Confirmed",
  account: account(),
  accountModified: 40,
  entries: [entry(40, xdr.LedgerEntryData.account(account())), note(50)],
  unconfirmed: new Map(),
  unreadable: new Set(),
  oldestAnswer: 50,
  newestAnswer: 50,
  header: { sequence: 50, closeTime: 1n, protocolVersion: 28, baseFee: 100, baseReserve: 1, idPool: 0n, flags: 0 },
  ...over
})

describe("a read is split", () => {
  it("not when both sources know the account in the same version", () =>
    assert.isFalse(isSplitRead(listing({}), confirmation(), sponsoring)))
  it("when the ledger API does not know the account", () => assert.isTrue(isSplitRead(listing(null), confirmation(), sponsoring)))
  it("when the sequence numbers differ", () => assert.isTrue(isSplitRead(listing({ sequence: 8n }), confirmation(), sponsoring)))
  it("when the account entry is of different ledgers", () =>
    assert.isTrue(isSplitRead(listing({ lastModifiedLedger: 41 }), confirmation(), sponsoring)))
  it("when a list is from before the account's last change", () => assert.isTrue(isSplitRead(listing({}, 39), confirmation(), sponsoring)))
  it("when an entry changed between two answers of the contract RPC", () =>
    assert.isTrue(isSplitRead(listing({}), confirmation({ oldestAnswer: 49 }), sponsoring)))
  it("not when the ledger moved on without touching anything held", () =>
    assert.isFalse(isSplitRead(listing({}), confirmation({ newestAnswer: 51 }), sponsoring)))
})

describe("what is sponsored", () => {
  const answered = (latestLedger: number, lastModified: number): Sponsorships => {
    const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: owner.xdrPublicKey() }))
    return {
      ...sponsoring,
      answers: [{ key, latestLedger, live: Option.some({ key, entry: note(lastModified), liveUntilLedger: null, latestLedger }) }]
    }
  }
  it("splits a read when it changed after the oldest answer", () =>
    assert.isTrue(isSplitRead(listing({}), confirmation(), answered(51, 51))))
  it("does not when nothing changed between the answers", () => assert.isFalse(isSplitRead(listing({}), confirmation(), answered(51, 50))))
})

describe("sub-entries", () => {
  it("match when all that are counted were found", () => assert.isFalse(subEntryMismatch(account(1), [note(1)])))
  it("do not match when one is missing", () => assert.isTrue(subEntryMismatch(account(2), [note(1)])))
  it("match when more were found than counted, in a split read", () => assert.isFalse(subEntryMismatch(account(0), [note(1)])))
})
