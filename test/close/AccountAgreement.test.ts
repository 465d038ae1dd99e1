import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import type { AccountSnapshot } from "../../src/account/AccountSnapshot.ts"
import { disagreement, factsOf, isBackedBy, readingDisagreement } from "../../src/close/read/AccountAgreement.ts"
import { agreementOn } from "../../src/close/situation/TwoBalances.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import type { Stroops } from "../../src/domain/Amount.ts"
import { native } from "../../src/domain/Asset.ts"
import { newAccount } from "../../src/ledger/entries/Account.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"

const key = Keypair.random()
const balance = 1_000_0000000n

const account = newAccount(xdr.PublicKey.publicKeyTypeEd25519(key.rawPublicKey()), balance, 7n)

/** The account entry with the ledger of its last transaction set. */
const lastActed = (ledger: number) => {
  const third = new xdr.AccountEntryExtensionV3({ ext: xdr.ExtensionPoint.v0(), seqLedger: ledger, seqTime: 1n })
  const second = new xdr.AccountEntryExtensionV2({
    numSponsored: 0,
    numSponsoring: 0,
    signerSponsoringIDs: [],
    ext: xdr.AccountEntryExtensionV2Ext.v3(third)
  })
  const first = new xdr.AccountEntryExtensionV1({
    liabilities: new xdr.Liabilities({ buying: 0n, selling: 0n }),
    ext: xdr.AccountEntryExtensionV1Ext.v2(second)
  })
  return new xdr.AccountEntry({ ...account, ext: xdr.AccountEntryExt.v1(first) })
}

const record = {
  address: AccountAddress.make(key.publicKey()),
  sequence: 7n,
  lumens: balance as Stroops,
  lastModifiedLedger: 90,
  numSubEntries: 0,
  numSponsoring: 0,
  numSponsored: 0,
  sponsor: null,
  trustlines: [],
  poolShares: [],
  signers: [],
  mediumThreshold: 0,
  data: new Map(),
  latestLedger: 100
}

/** A snapshot of ledger 100 with the given differences. */
const reading = (more: object = {}) =>
  ({
    accountEntry: account,
    entries: [{ ...newEntry(xdr.LedgerEntryData.account(account)), lastModifiedLedgerSeq: 90 }],
    header: { ledgerSeq: 100 },
    ledgerApiLedger: 100,
    ledgers: { began: 100, listed: { oldest: 100, newest: 100 }, confirmed: { oldest: 100, newest: 100 }, header: 100 },
    listed: record,
    unconfirmed: 0,
    ...more
  }) as unknown as AccountSnapshot

const near = { tolerable: 5, unseen: 0 }

describe("what two sources say of an account", () => {
  it("agrees on one ledger, whatever strangers have sent since", () => {
    assert.isNull(readingDisagreement(reading(), near))
    assert.isNull(readingDisagreement(reading({ listed: { ...record, lumens: balance - 1n } }), near))
    assert.isNull(readingDisagreement(reading({ entries: [] }), near))
  })

  it("is not relied on where the ledger API knows no such account", () =>
    assert.deepInclude(readingDisagreement(reading({ listed: null }), near), { _tag: "LedgerApiLagging", behind: 1 }))

  it("is not relied on while the ledger API has not reached the account's own last transaction", () => {
    const told = (ledger: number) =>
      disagreement({ record, ledger }, { account: lastActed(100), modified: 90, ledger: 100 }, { strict: false, tolerable: 5 })?._tag ??
        null
    assert.deepStrictEqual([told(99), told(100)], ["LedgerApiLagging", null])
  })

  it("is not relied on while the contract RPC is more than five ledgers behind", () => {
    const told = (newest: number) =>
      readingDisagreement(
        reading({ ledgers: { began: 100, listed: { oldest: 100, newest }, confirmed: { oldest: 100, newest: 100 }, header: 100 } }),
        near
      )
    assert.deepInclude(told(106), { _tag: "ContractRpcLagging", behind: 6 })
    assert.isNull(told(105))
    const entries = (ledger: number) =>
      disagreement({ record, ledger }, { account, modified: 90, ledger: 100 }, { strict: false, tolerable: 5 })
    assert.deepInclude(entries(106), { _tag: "ContractRpcLagging", behind: 6 })
    assert.isNull(entries(105))
  })

  it("is as old as the older of the header and the oldest answer that confirms it", () => {
    const told = (ledgerSeq: number, oldest: number) =>
      readingDisagreement(
        reading({
          header: { ledgerSeq },
          ledgers: { began: 94, listed: { oldest: 100, newest: 100 }, confirmed: { oldest, newest: 100 }, header: ledgerSeq }
        }),
        near
      )
    assert.deepInclude(told(100, 94), { _tag: "ContractRpcLagging", behind: 6 })
    assert.deepInclude(told(94, 100), { _tag: "ContractRpcLagging", behind: 6 })
    assert.isNull(told(95, 95))
  })

  it("is of the version that its entry was read with", () => {
    const entries = [{ ...newEntry(xdr.LedgerEntryData.account(account)), lastModifiedLedgerSeq: 95 }]
    const told = readingDisagreement(reading({ entries, listed: { ...record, numSubEntries: 1 } }), near)
    assert.deepInclude(told, { _tag: "LedgerApiLagging", behind: 1 })
  })

  it("is not relied on while a listed entry is unconfirmed", () => {
    assert.strictEqual(readingDisagreement(reading({ unconfirmed: 1 }), near)?._tag, "ContractRpcLagging")
    assert.isNull(readingDisagreement(reading({ unconfirmed: 1 }), { ...near, unseen: 1 }))
  })

  it("differs by what only the account or its sponsors change, and names the source with the older version", () => {
    const judged = (more: object, modified = 90, ledger = 100) =>
      disagreement({ record: { ...record, ...more }, ledger }, { account, modified, ledger: 100 }, { strict: false, tolerable: 5 })
    const disagreeing = { _tag: "SourcesDisagree", about: "account" } as const
    assert.deepInclude(judged({ numSubEntries: 1 }), disagreeing)
    assert.deepInclude(judged({ numSponsored: 1 }), disagreeing)
    assert.deepInclude(judged({ numSponsoring: 1 }), disagreeing)
    assert.deepInclude(judged({ numSubEntries: 1, lastModifiedLedger: 91 }, 90, 103), { _tag: "ContractRpcLagging", behind: 3 })
    assert.deepInclude(judged({ numSubEntries: 1 }, 91, 97), { _tag: "LedgerApiLagging", behind: 3 })
    assert.deepInclude(judged({ numSubEntries: 1 }, 91), { _tag: "LedgerApiLagging", behind: 1 })
    assert.deepInclude(judged({ sequence: 8n, lastModifiedLedger: 80 }, 90, 104), { _tag: "ContractRpcLagging", behind: 4 })
    assert.deepInclude(judged({ sequence: 6n, lastModifiedLedger: 95 }, 90, 99), { _tag: "LedgerApiLagging", behind: 1 })
  })

  it("is compared to the stroop where a mediator passes it on, by versions of one ledger", () => {
    const judged = (more: object, modified = 90, ledger = 100) =>
      disagreement({ record: { ...record, ...more }, ledger }, { account, modified, ledger: 100 }, { strict: true, tolerable: 5 })
    const disagreeing = { _tag: "SourcesDisagree", about: "account" } as const
    assert.isNull(judged({}))
    assert.deepInclude(judged({ lumens: balance - 1n }), disagreeing)
    assert.deepInclude(judged({ lumens: null }), disagreeing)
    // The ledger API has reached the ledger of the change, or has not.
    assert.deepInclude(judged({}, 96), disagreeing)
    assert.deepInclude(judged({}, 96, 96), disagreeing)
    assert.isNull(judged({}, 96, 95))
    assert.deepInclude(judged({ lastModifiedLedger: 91 }, 90, 102), { _tag: "ContractRpcLagging", behind: 2 })
  })

  it("is backed by another source that shows the same, or a hundredth of a lumen less", () => {
    const facts = factsOf(account)
    assert.isTrue(isBackedBy(facts, facts))
    assert.isTrue(isBackedBy(facts, { ...facts, lumens: balance - 10_0000n }))
    const others = [
      { lumens: balance - 10_0001n },
      { lumens: balance + 1n },
      { lumens: null },
      { sequence: 8n },
      { numSubEntries: 1 },
      { numSponsored: 1 },
      { numSponsoring: 1 }
    ]
    for (const more of others) assert.isFalse(isBackedBy(facts, { ...facts, ...more }), Object.keys(more).join())
    assert.isFalse(isBackedBy({ ...facts, lumens: null }, facts))
    assert.isTrue(isBackedBy(null, null))
    assert.isFalse(isBackedBy(null, facts))
    assert.isFalse(isBackedBy(facts, null))
  })

  it("is near up to a thousandth of a balance, and apart beyond it", () => {
    const told = (lumens: bigint) => agreementOn(reading({ listed: { ...record, lumens, lastModifiedLedger: 91 } }), native)
    assert.strictEqual(told(balance), "agreed")
    assert.strictEqual(told(balance - balance / 1_000n), "near")
    assert.strictEqual(told(balance - balance / 1_000n - 1n), "apart")
    assert.strictEqual(told(balance - balance / 200n), "apart")
  })
})
