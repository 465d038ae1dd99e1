import { assert, describe, it } from "@effect/vitest"
import { Account, Asset, Keypair, Memo, Networks, Operation, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import type { MediationRequest } from "../../src/close/mediator/MediationRequest.ts"
import { brokenRule } from "../../src/close/mediator/MediationRules.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { newAccount, withSponsorship } from "../../src/ledger/entries/Account.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { LedgerState } from "../../src/ledger/LedgerState.ts"
import { innermost, readTransaction } from "../../src/ledger/Transaction.ts"

const [closer, mediator, exchange, stranger] = Array.from({ length: 4 }, () => Keypair.random()) as [Keypair, Keypair, Keypair, Keypair]
const passphrase = Networks.TESTNET
const now = 1_000_000
const balance = 100_000_000n

const account = (key: Keypair, change: Partial<ConstructorParameters<typeof xdr.AccountEntry>[0]> = {}): xdr.AccountEntry =>
  new xdr.AccountEntry({ ...newAccount(key.xdrPublicKey(), balance, 7n), ...change })

const signer = (key: Keypair, weight: number) => new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(key.rawPublicKey()), weight })

/** What a request differs in from one that is signed. */
interface Change {
  readonly amount?: bigint
  readonly fee?: bigint
  readonly from?: number
  readonly until?: number
  /** Whether it has no bounds of time at all. */
  readonly endless?: true
  readonly memo?: Memo
  /** The transaction's source. */
  readonly by?: Keypair
  readonly sequence?: bigint
  readonly operations?: ReadonlyArray<xdr.Operation>
  readonly signedBy?: ReadonlyArray<Keypair>
  readonly source?: xdr.AccountEntry | null
  readonly mediatorAccount?: xdr.AccountEntry
  readonly listing?: Partial<NonNullable<ReturnType<MediationRequest["listingOf"]>>> | null
}

const lumens = (stroops: bigint): string => (Number(stroops) / 1e7).toFixed(7)

const requestOf = (change: Change = {}): MediationRequest => {
  const { fee = 200n, from = 0, until = now + 300, memo = Memo.text("42"), sequence = 8n, signedBy = [], by = closer } = change
  const { amount = balance - fee, source = account(closer), mediatorAccount = account(mediator), listing } = change
  const operations = change.operations ?? [
    Operation.accountMerge({ source: closer.publicKey(), destination: mediator.publicKey() }),
    Operation.payment({ source: mediator.publicKey(), destination: exchange.publicKey(), asset: Asset.native(), amount: lumens(amount) })
  ]
  const builder = new TransactionBuilder(new Account(by.publicKey(), (sequence - 1n).toString()), {
    fee: (Number(fee) / operations.length).toString(),
    networkPassphrase: passphrase,
    memo
  })
  for (const operation of operations) builder.addOperation(operation)
  const built = (until === 0 ? builder.setTimeout(0) : builder.setTimebounds(from, until)).build()
  built.sign(...signedBy)
  const envelope = built.toEnvelope()
  if (change.endless === true && envelope.type === "envelopeTypeTx") {
    Object.assign(envelope.v1.tx, { cond: xdr.Preconditions.precondNone() })
  }
  const rules = {
    address: AccountAddress.make(exchange.publicKey()),
    name: "An exchange",
    domain: "exchange.example",
    requiresMediator: true,
    requiresMemo: true,
    memoType: "text"
  } as const
  const header = { ledgerVersion: 28, ledgerSeq: 9, closeTime: BigInt(now), baseFee: 100, baseReserve: 5_000_000, idPool: 0n, flags: 0 }
  const accounts = [...(source === null ? [] : [source]), mediatorAccount, account(exchange)]
  return {
    envelope,
    transaction: innermost(readTransaction(envelope, passphrase)),
    passphrase,
    mediator: AccountAddress.make(mediator.publicKey()),
    mediatorAccount,
    source,
    listingOf: (address) => (address === exchange.publicKey() && listing !== null ? { ...rules, ...listing } : null),
    ledgerState: LedgerState.make(header, accounts.map((one) => newEntry(xdr.LedgerEntryData.account(one)))),
    now: BigInt(now),
    mostPerOperation: 5_000n
  }
}

const broken = (change: Change = {}) => brokenRule(requestOf(change))

describe("a mediator signs", () => {
  it("an envelope that keeps every rule, signed by its account or not", () => {
    assert.isNull(broken())
    assert.isNull(broken({ signedBy: [closer] }))
  })

  it("from the moment it begins until it ends, five minutes ahead, and half an hour once its account signed", () => {
    const rules = (...changes: ReadonlyArray<Change>) => changes.map(broken)
    const late = "time_bounds"
    assert.deepStrictEqual(rules({ from: now }, { from: now + 1 }, { until: now + 1 }, { until: now }, { until: 0 }), [
      null,
      late,
      null,
      late,
      late
    ])
    assert.strictEqual(broken({ endless: true }), late)
    assert.deepStrictEqual(rules({ until: now + 300 }, { until: now + 301 }), [null, late])
    const signedBy = [closer]
    assert.deepStrictEqual(rules({ until: now + 1_800, signedBy }, { until: now + 1_801, signedBy }), [null, late])
    const shared = account(closer, { thresholds: new Uint8Array([1, 0, 0, 2]), signers: [signer(stranger, 1)], numSubEntries: 1 })
    assert.deepStrictEqual(
      rules({ until: now + 301, source: shared, signedBy }, { until: now + 301, source: shared, signedBy: [closer, stranger] }),
      [late, null]
    )
  })

  it("a bid between the network's and the settings'", () => {
    const rule = "fee_bounded"
    assert.deepStrictEqual([198n, 200n, 10_000n, 10_002n].map((fee) => broken({ fee })), [rule, null, null, rule])
  })

  it("the next sequence number only", () => {
    const rule = "sequence_is_next"
    assert.deepStrictEqual([7n, 8n, 9n].map((sequence) => broken({ sequence })), [rule, null, rule])
  })

  it("a payment of all but a hundredth of a lumen", () => {
    const all = balance - 200n
    const rule = "amount_covered"
    assert.deepStrictEqual([all + 1n, all, all - 100_000n, all - 100_001n].map((amount) => broken({ amount })), [rule, null, null, rule])
  })

  it("for an account with nothing but signers, that pays no reserve of others", () => {
    const rule = "account_is_empty"
    assert.isNull(broken({ source: account(closer, { signers: [signer(stranger, 1)], numSubEntries: 1 }) }))
    assert.strictEqual(broken({ source: account(closer, { signers: [signer(stranger, 1)], numSubEntries: 2 }) }), rule)
    assert.strictEqual(broken({ source: account(closer, { numSubEntries: 1 }) }), rule)
    assert.strictEqual(broken({ source: withSponsorship(account(closer), { numSponsoring: 1 }) }), rule)
  })

  it("never for its own account", () => {
    const operations = [
      Operation.accountMerge({ source: mediator.publicKey(), destination: mediator.publicKey() }),
      Operation.payment({ source: mediator.publicKey(), destination: exchange.publicKey(), asset: Asset.native(), amount: "1" })
    ]
    assert.strictEqual(broken({ by: mediator, source: account(mediator), operations }), "source_is_closing_account")
  })

  it("for an account that is there", () => assert.strictEqual(broken({ source: null }), "sequence_is_next"))

  it("for an exchange that needs it, with the memo it credits by", () => {
    assert.strictEqual(broken({ listing: null }), "destination_is_registered")
    assert.strictEqual(broken({ listing: { requiresMediator: false } }), "destination_is_registered")
    assert.strictEqual(broken({ memo: Memo.none() }), "memo_matches_registry")
    assert.strictEqual(broken({ memo: Memo.id("42") }), "memo_matches_registry")
    assert.isNull(broken({ memo: Memo.id("42"), listing: { memoType: "id" } }))
    assert.isNull(broken({ memo: Memo.none(), listing: { requiresMemo: false, memoType: "none" } }))
  })
})

describe("signatures that a mediator finds", () => {
  it("are of the account's or of its own signers, all of them", () => {
    assert.strictEqual(broken({ signedBy: [stranger] }), "network")
    assert.strictEqual(broken({ signedBy: [closer, stranger] }), "network")
    const shared = account(closer, { signers: [signer(stranger, 1)], numSubEntries: 1 })
    assert.isNull(broken({ signedBy: [closer, stranger], source: shared }))
    assert.strictEqual(broken({ signedBy: [closer], source: null }), "network")
  })

  it("are not its own yet", () => {
    assert.strictEqual(broken({ signedBy: [mediator] }), "no_mediator_signature_yet")
    assert.strictEqual(broken({ signedBy: [closer, mediator] }), "no_mediator_signature_yet")
    const other = account(mediator, { signers: [signer(stranger, 1)], numSubEntries: 1 })
    assert.strictEqual(broken({ signedBy: [stranger], mediatorAccount: other }), "no_mediator_signature_yet")
  })

  it("are of no signer that stands for the transaction itself, without a signature", () => {
    const { hash } = requestOf().transaction
    const ahead = new xdr.Signer({ key: xdr.SignerKey.signerKeyTypePreAuthTx(hash), weight: 1 })
    const bare = account(closer, { signers: [ahead], numSubEntries: 1 })
    assert.isNull(broken({ source: bare }))
    assert.strictEqual(broken({ source: bare, signedBy: [stranger] }), "network")
  })
})

describe("an envelope that would fail on the ledger", () => {
  it("is not signed", () => {
    assert.strictEqual(broken({ source: account(closer, { flags: 4 }) }), "dry_run")
  })
})
