import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import type { AccountRecord } from "../../src/chain/ledger-api/AccountRecord.ts"
import type { EndpointAnswer } from "../../src/chain/witness/NewestEntries.ts"
import { about, believedAnswer, isCatchingUp } from "../../src/close/read/EndpointChoice.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { ContractRpcLagging, DeadlineExceeded, LedgerApiLagging, SourcesDisagree } from "../../src/domain/failure/Upstream.ts"
import { newAccount } from "../../src/ledger/entries/Account.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"

const key = Keypair.random()
const address = AccountAddress.make(key.publicKey())
const balance = 1_000_0000000n
const tolerable = 5

/** The account's entry since a ledger. */
const since = (ledger: number, lumens = balance): xdr.LedgerEntry => {
  const account = newAccount(xdr.PublicKey.publicKeyTypeEd25519(key.rawPublicKey()), lumens, 7n)
  return new xdr.LedgerEntry({ ...newEntry(xdr.LedgerEntryData.account(account)), lastModifiedLedgerSeq: ledger })
}

/** What an origin answers in a ledger. */
const answer = (origin: string, ledger: number, entry: xdr.LedgerEntry | null, readAt = ledger) =>
  about(address)({
    origin,
    ledger,
    readAt,
    header: {} as EndpointAnswer["header"],
    entries: entry === null ? [] : [entry]
  })

/** What the ledger API lists in a ledger. */
const listed = (ledger: number, modified = 90, lumens = balance) => ({
  record: {
    address,
    sequence: 7n,
    lumens,
    lastModifiedLedger: modified,
    numSubEntries: 0,
    numSponsoring: 0,
    numSponsored: 0
  } as AccountRecord,
  ledger
})

const unlisted = (ledger: number) => ({ record: null, ledger })

type Answers = ReadonlyArray<ReturnType<typeof answer>>

/** The origin that is believed, or the failure. */
const believed = (api: Parameters<typeof believedAnswer>[0], answers: Answers, before: Answers = []) => {
  const choice = believedAnswer(api, answers, [...before, ...answers].map(({ statement }) => statement), tolerable)
  return "_tag" in choice ? choice : choice.origin
}

const disagreeing = new SourcesDisagree({ about: "account" })
const rpcLags = (behind: number | null) => new ContractRpcLagging({ behind, ageSeconds: null })
const apiLags = (behind: number) => new LedgerApiLagging({ behind })

describe("what an answer says of an account", () => {
  it("is in the entry of that account alone", () => {
    const other = newAccount(xdr.PublicKey.publicKeyTypeEd25519(Keypair.random().rawPublicKey()), 1n, 1n)
    const ttl = newEntry(xdr.LedgerEntryData.ttl(new xdr.TtlEntry({ keyHash: Buffer.alloc(32), liveUntilLedgerSeq: 1 })))
    const entries = [ttl, newEntry(xdr.LedgerEntryData.account(other)), since(90)]
    const told = about(address)({ origin: "a", ledger: 100, readAt: 101, header: {} as EndpointAnswer["header"], entries })
    assert.strictEqual(told.entry, entries[2])
    assert.deepInclude(told.statement, { by: "a", from: 90, to: 101 })
  })
})

describe("of the answers about an account", () => {
  it("the newest is believed, of equal ones the first", () => {
    assert.strictEqual(believed(listed(100), [answer("a", 100, since(90)), answer("b", 101, since(90))]), "b")
    assert.strictEqual(believed(listed(100), [answer("a", 101, since(90)), answer("b", 100, since(90))]), "a")
    assert.strictEqual(believed(listed(100), [answer("a", 100, since(90)), answer("b", 100, since(90))]), "a")
  })

  it("one that has not reached the ledger API's ledger, or its version of the account, is not believed", () => {
    assert.strictEqual(believed(listed(100), [answer("a", 100, since(90))]), "a")
    assert.deepStrictEqual(believed(listed(100), [answer("a", 99, since(90))]), rpcLags(1))
    assert.deepStrictEqual(believed(listed(100), [answer("a", 96, since(90)), answer("b", 98, since(90))]), rpcLags(2))
    assert.deepStrictEqual(believed(listed(100, 95), [answer("a", 101, since(94))]), rpcLags(0))
    // Not even where the ledger API lags itself.
    assert.deepStrictEqual(believed(listed(100, 95), [answer("a", 106, since(94))]), rpcLags(0))
    assert.deepStrictEqual(believed(listed(100), []), rpcLags(null))
    // The one that lags is left out, though it is the first.
    assert.strictEqual(believed(listed(100), [answer("a", 99, since(90)), answer("b", 100, since(90))]), "b")
  })

  it("one that shows no account is believed where the ledger API lists none", () => {
    assert.strictEqual(believed(unlisted(100), [answer("a", 100, null)]), "a")
    assert.deepStrictEqual(believed(unlisted(100), [answer("a", 100, since(90))]), apiLags(1))
  })

  it("one that shows no account contradicts a ledger API that lists it in that ledger or later", () => {
    assert.deepStrictEqual(believed(listed(100), [answer("a", 100, null)]), disagreeing)
    // Its entries are newer than the ledger API: that may not know yet.
    assert.deepStrictEqual(believed(listed(100), [answer("a", 100, null, 101)]), apiLags(1))
    assert.deepStrictEqual(believed(listed(100), [answer("a", 104, null)]), apiLags(4))
  })

  it("one that contradicts the ledger API about one ledger is not believed, by a stroop", () => {
    assert.deepStrictEqual(believed(listed(100), [answer("a", 100, since(90, balance - 1n))]), disagreeing)
    assert.deepStrictEqual(believed(listed(100), [answer("a", 106, since(90))]), apiLags(6))
  })

  it("one with a change that the ledger API has not reached is believed with so little more, or beside another origin", () => {
    const [little, much] = [since(101, balance + 10_0000n), since(101, balance + 10_0001n)]
    assert.strictEqual(believed(listed(100), [answer("a", 102, little)]), "a")
    assert.deepStrictEqual(believed(listed(100), [answer("a", 102, much)]), apiLags(1))
    assert.deepStrictEqual(believed(listed(99), [answer("a", 102, much)]), apiLags(2))
    assert.strictEqual(believed(listed(100), [answer("a", 102, much), answer("b", 101, much)]), "a")
    // Another endpoint of the same origin is the same source, and one without the change shows another account.
    assert.deepStrictEqual(believed(listed(100), [answer("a", 102, much), answer("a", 101, much)]), apiLags(1))
    assert.deepStrictEqual(believed(listed(100), [answer("a", 102, much), answer("b", 100, since(90))]), apiLags(1))
    // One of several is enough.
    assert.strictEqual(believed(listed(100), [answer("a", 102, much), answer("b", 101, much), answer("c", 100, since(90))]), "a")
  })

  it("one of two that contradict each other is not believed, and one of three that is outvoted is left out", () => {
    const [honest, lie] = [since(90), since(90, balance - 5n)]
    assert.deepStrictEqual(believed(listed(100), [answer("a", 101, honest), answer("b", 100, lie)]), disagreeing)
    assert.strictEqual(believed(listed(100), [answer("a", 100, honest), answer("b", 101, lie), answer("c", 100, honest)]), "a")
    // All three differ: none is left.
    const third = since(90, balance - 6n)
    assert.deepStrictEqual(believed(listed(100), [answer("a", 100, honest), answer("b", 100, lie), answer("c", 100, third)]), disagreeing)
  })

  it("one that contradicts an earlier answer of its own origin is left out", () => {
    const before = [answer("a", 100, since(100, balance - 5n))]
    assert.strictEqual(believed(listed(101), [answer("a", 101, since(90)), answer("b", 101, since(90))], before), "b")
  })

  it("what an outvoted one says counts against no other one", () => {
    const lie = answer("b", 101, since(90, balance - 5n))
    assert.strictEqual(believed(listed(101), [answer("a", 101, since(90)), lie, answer("c", 101, since(90))]), "a")
  })
})

describe("a lag", () => {
  it("is waited for from one ledger to those tolerable, of either source, and nothing else is", () => {
    const isWaitedFor = isCatchingUp(tolerable)
    for (const lags of [rpcLags, apiLags]) {
      assert.deepStrictEqual([-1, 0, 1, 5, 6].map((behind) => isWaitedFor(lags(behind))), [false, false, true, true, false])
    }
    assert.isFalse(isWaitedFor(rpcLags(null)))
    assert.isFalse(isWaitedFor(disagreeing))
    assert.isFalse(isWaitedFor(new DeadlineExceeded()))
  })
})
