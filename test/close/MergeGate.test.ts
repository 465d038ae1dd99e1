import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { statementOf } from "../../src/chain/witness/AccountStatement.ts"
import { gateWarnings } from "../../src/close/answer/GateWarnings.ts"
import { mergeGate } from "../../src/close/answer/MergeGate.ts"
import type { PlannedTransaction } from "../../src/close/project/PlannedTransaction.ts"
import type { SourceAgreement } from "../../src/close/read/SourceAgreement.ts"
import type { Situation } from "../../src/close/situation/Situation.ts"
import { newAccount, withFields, withSponsorship } from "../../src/ledger/entries/Account.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"

const key = Keypair.random()
const balance = 1_000_0000000n
const account = newAccount(xdr.PublicKey.publicKeyTypeEd25519(key.rawPublicKey()), balance, 7n)

const entryOf = (closer: xdr.AccountEntry, modified: number) =>
  new xdr.LedgerEntry({ ...newEntry(xdr.LedgerEntryData.account(closer)), lastModifiedLedgerSeq: modified })

/** A reading of ledger 100 on which both sources agree: the account sponsors nothing. */
const situation = {
  input: { source: key.publicKey() },
  closeInterval: null,
  snapshot: {
    accountEntry: account,
    entries: [entryOf(account, 90)],
    header: { ledgerSeq: 100 },
    ledgerApiLedger: 100,
    ledgers: { began: 100, listed: { oldest: 100, newest: 100 }, confirmed: { oldest: 100, newest: 100 }, header: 100 },
    listed: { sequence: 7n, lumens: balance, lastModifiedLedger: 90, numSubEntries: 0, numSponsoring: 0, numSponsored: 0 },
    unconfirmed: 0,
    unconfirmedClaims: new Map(),
    state: { claimableBalances: [] }
  }
} as unknown as Situation

const merge = (reason: PlannedTransaction["reason"]) => ({ merges: true, reason }) as PlannedTransaction

interface Believed {
  /** The ledger of the answer. */
  readonly ledger: number
  /** The ledger that changed the account last. */
  readonly modified: number
}

/** The reason to reject a merge where this account is believed; null: none. */
const refusal = (
  closer: xdr.AccountEntry | null,
  reason: PlannedTransaction["reason"] = "mediator",
  { ledger = 102, modified = 101 }: Partial<Believed> = {},
  reading: Situation = situation
) => {
  const statement = statementOf("believed", ledger, closer === null ? null : entryOf(closer, modified))
  const agreement = { believed: () => Effect.succeed({ header: { sequence: ledger }, entries: [], closer, statement }) }
  return Effect.runSync(
    Effect.match(mergeGate(agreement as unknown as SourceAgreement["Type"], reading, merge(reason)), {
      onFailure: (failure) => failure,
      onSuccess: () => null
    })
  )
}

describe("a merge through the mediator", () => {
  it("is handed over where the endpoint that is ahead has the account that was read, or a hundredth of a lumen more", () => {
    assert.isNull(refusal(account))
    assert.isNull(refusal(withFields(account, { balance: balance + 10_0000n })))
  })

  it.each<readonly [what: string, closer: xdr.AccountEntry | null]>([
    ["sponsors something", withSponsorship(account, { numSponsoring: 1 })],
    ["holds something", withFields(account, { numSubEntries: 1 })],
    ["has acted", withFields(account, { seqNum: 8n })],
    ["has more lumens", withFields(account, { balance: balance + 10_0001n })],
    ["is gone", null]
  ])("is refused where the account %s there", (_, closer) => {
    assert.deepInclude(refusal(closer), { _tag: "ContractRpcLagging", behind: 2 })
  })

  it("contradicts a reading of the same ledgers that shows another account", () => {
    const richer = withFields(account, { balance: balance + 10_0001n })
    assert.deepInclude(refusal(richer, "mediator", { modified: 95 }), { _tag: "SourcesDisagree", about: "account" })
    assert.deepInclude(refusal(richer, "mediator", { modified: 100 }), { _tag: "SourcesDisagree", about: "account" })
    assert.deepInclude(refusal(richer, "mediator", { ledger: 98, modified: 95 }), { _tag: "SourcesDisagree", about: "account" })
  })

  it("contradicts no reading that is older than its header", () => {
    const richer = withFields(account, { balance: balance + 10_0001n })
    const ledgers = { ...situation.snapshot.ledgers, confirmed: { oldest: 99, newest: 100 } }
    const older = { ...situation, snapshot: { ...situation.snapshot, ledgers } } as Situation
    assert.deepInclude(refusal(richer, "mediator", { modified: 100 }, older), { _tag: "ContractRpcLagging", behind: 2 })
  })
})

describe("a merge that pays no mediator", () => {
  it("rests on the reading alone", () => assert.isNull(refusal(null, null)))
})

describe("a plan", () => {
  /** Warning codes of the gates of a merge whose ledger API is this many ledgers behind. */
  const codes = (reason: PlannedTransaction["reason"], behind = 0, singleSource = true) =>
    gateWarnings(
      {
        ...situation,
        singleSource,
        passphrase: "Test SDF Network ; September 2015",
        exits: { planned: [], assets: new Map() },
        tokenWork: { sales: [] },
        snapshot: { ...situation.snapshot, ledgerApiLedger: 100 - behind, protocols: [], tokens: { held: [], unreadable: [], told: null } }
      } as unknown as Situation,
      [{ ...merge(reason), call: null, progress: null }]
    ).map(({ code }) => code)

  it("reports where a merge would be refused because the ledger API lags", () => {
    assert.deepStrictEqual(codes(null, 6), ["source_lagging"])
    assert.deepStrictEqual(codes(null, 1), [])
  })

  it("says that a merge through the mediator is compared with a second source at the build, and no other merge of a plain account", () => {
    assert.deepStrictEqual(codes("mediator"), ["gates_at_build"])
    assert.deepStrictEqual(codes(null, 0, false), [])
  })
})
