import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import { idOf as idOfKey } from "../../../src/ledger/EntryId.ts"
import { ttlEntry, ttlKeyOf } from "../../../src/ledger/soroban/Life.ts"
import { accountAddress, addressVal, u32, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { idOf } from "../support/World.ts"
import { callOf, tree } from "./support/Agreements.ts"
import { contract, keyNamed } from "./support/Entries.ts"
import {
  a,
  account,
  accountKey,
  b,
  c,
  type Call,
  crash,
  drop,
  entryOf,
  keep,
  least,
  lend,
  lent,
  live,
  missingKey,
  now,
  outcomeOf,
  over,
  owner,
  put,
  run,
  stored
} from "./support/Invocations.ts"

/** What a call that succeeds changes. */
const changesOf = (given: Call) => {
  assert.strictEqual(outcomeOf(given), "success")
  return run(given).changes.map((change) => change.toJson())
}

const stamped = (entry: xdr.LedgerEntry) => new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: now })
const created = (entry: xdr.LedgerEntry) => [xdr.LedgerEntryChange.ledgerEntryCreated(stamped(entry)).toJson()]
const updated = (before: xdr.LedgerEntry, after = before) => [
  xdr.LedgerEntryChange.ledgerEntryState(before).toJson(),
  xdr.LedgerEntryChange.ledgerEntryUpdated(stamped(after)).toJson()
]
const removed = (entry: xdr.LedgerEntry, key: xdr.LedgerKey) => [
  xdr.LedgerEntryChange.ledgerEntryState(entry).toJson(),
  xdr.LedgerEntryChange.ledgerEntryRemoved(key).toJson()
]

describe("what a call leaves in the ledger", () => {
  it("is what it may write, used or not, in the order declared: each entry, then its life", () => {
    const given = { ...put(4), entries: [...stored("b", 8, live), account, ...stored("c", 8, live)], readOnly: [c, keyNamed("d")] }
    const made = [...created(entryOf("a", 4)), ...created(ttlEntry(a, least))]
    assert.deepStrictEqual(changesOf({ ...given, readWrite: [a] }), made)
    const all = [...updated(entryOf("b", 8)), ...made, ...updated(account)]
    assert.deepStrictEqual(changesOf({ ...given, readWrite: [b, a, accountKey] }), all)
  })

  it("is a new value with the same life, or the same value with a longer one", () => {
    const entries = stored("a", 8, live)
    assert.deepStrictEqual(changesOf({ ...put(4), entries, readWrite: [a] }), updated(entryOf("a", 8), entryOf("a", 4)))
    const life = updated(ttlEntry(a, live), ttlEntry(a, live + 1))
    assert.deepStrictEqual(changesOf({ ...keep(51), entries, readWrite: [a] }), [...updated(entryOf("a", 8)), ...life])
    assert.deepStrictEqual(changesOf({ ...keep(51), entries, readOnly: [a] }), life, "what is only read is not written")
    assert.deepStrictEqual(changesOf({ ...keep(50), entries, readOnly: [a] }), [])
  })

  it("is nothing of what it removes, and of what was not there", () => {
    const given = { ...drop, readWrite: [a, b, missingKey] }
    const gone = [...removed(entryOf("a", 8), a), ...removed(ttlEntry(a, live), ttlKeyOf(a))]
    assert.deepStrictEqual(changesOf({ ...given, entries: stored("a", 8, live) }), gone)
    assert.deepStrictEqual(changesOf(given), [])
  })

  it("is no temporary entry that was over, unless it may only be read or is made anew", () => {
    const [before, after] = [entryOf("a", 8, "temporary"), entryOf("a", 4, "temporary")]
    const entries = stored("a", 8, over, "temporary")
    const gone = [...removed(before, lent), ...removed(ttlEntry(lent, over), ttlKeyOf(lent))]
    assert.deepStrictEqual(changesOf({ entries, readWrite: [lent] }), gone)
    assert.deepStrictEqual(changesOf({ entries, readOnly: [lent] }), [])
    const anew = [...updated(before, after), ...updated(ttlEntry(lent, over), ttlEntry(lent, now + 19))]
    assert.deepStrictEqual(changesOf({ ...lend(4), entries, readWrite: [lent] }), anew)
  })
})

describe("archived entries", () => {
  const entries = [...stored("a", 8, over), ...stored("b", 8, live)]
  const restoring = (...archived: Array<number>) => ({ entries, readWrite: [b, a], resources: { archived } })
  const restoredBy = (given: Call) => Array.from(run(given).receipt.restoredEntries, ([id, entry]) => [id, entry.toJson()])
  const came = [[idOfKey(a), entryOf("a", 8).toJson()], [idOfKey(ttlKeyOf(a)), ttlEntry(a, least).toJson()]]
  const lifeTo = (liveUntil: number) => updated(ttlEntry(a, over), ttlEntry(a, liveUntil))

  it("come back for the shortest life where they are named, and what lives is as it was", () => {
    const changes = [...updated(entryOf("b", 8)), ...updated(entryOf("a", 8)), ...lifeTo(least)]
    for (const given of [restoring(1), restoring(0, 1)]) {
      assert.deepStrictEqual([changesOf(given), restoredBy(given)], [changes, came])
    }
    assert.deepStrictEqual(restoredBy({ ...restoring(0), entries: stored("b", 8, live) }), [])
  })

  it("are reported as they came back, whatever the call changes afterwards", () => {
    const gone = [...removed(entryOf("a", 8), a), ...removed(ttlEntry(a, over), ttlKeyOf(a))]
    for (
      const [call, changes] of [
        [put(4), [...updated(entryOf("a", 8), entryOf("a", 4)), ...lifeTo(least)]],
        [keep(300, 99), [...updated(entryOf("a", 8)), ...lifeTo(now + 300)]],
        [keep(300, 98), [...updated(entryOf("a", 8)), ...lifeTo(least)]],
        [drop, gone]
      ] as const
    ) {
      const given = { ...restoring(0), ...call, readWrite: [a] }
      assert.deepStrictEqual([changesOf(given), restoredBy(given)], [changes, came])
    }
  })

  it("fail a call that does not name them, or only reads them", () => {
    const sunk = [restoring(), restoring(0), { ...restoring(0), readOnly: [a], readWrite: [b] }]
    assert.deepStrictEqual(sunk.map(outcomeOf), ["entryArchived", "entryArchived", "entryArchived"])
  })
})

it("what a call gives back is told in the receipt, with a hash in the result", () => {
  for (const count of [0, 2]) {
    const { notes, outcome, receipt } = run({ fn: "tell", args: [u32(count)] })
    assert.deepStrictEqual(receipt.returnValue?.toJson(), { u32: count })
    const told = Array.from({ length: count }, (_, at) => ({ u32: at }))
    assert.deepStrictEqual(receipt.events.map(({ body }) => body.v0.data.toJson()), told)
    assert.deepStrictEqual(notes, ["fn_call", ...told.map(() => "told"), "fn_return"])
    const preimage = Buffer.concat([u32(count).toXdr(), Uint8Array.of(0, 0, 0, count), ...receipt.events.map((event) => event.toXdr())])
    assert.deepStrictEqual(outcome, { hash: createHash("sha256").update(preimage).digest() })
  }
})

describe("a call that fails", () => {
  it("is trapped by an error of the contract or of the host, which its last note tells", () => {
    for (
      const [given, told] of [
        [{ fn: "fail" }, { error: { contract: 7 } }],
        [put(4), { error: { storage: "exceeded_limit" } }],
        [{ fn: "agree", args: [addressVal(contract)] }, { error: { auth: "invalid_action" } }]
      ] as const
    ) {
      assert.strictEqual(outcomeOf(given), "trapped")
      const { notes, receipt } = run(given)
      assert.deepStrictEqual(notes, ["fn_call", "error"])
      assert.deepStrictEqual(receipt.diagnosticEvents.at(-1)?.event.body.v0.topics[1]?.toJson(), told)
    }
  })

  it("lacks the agreement of an address, which the operation brings with it", () => {
    const address = accountAddress(owner)
    const args = [addressVal(address)]
    const rootInvocation = tree(callOf(contract, "agree", args))
    const agreeing = (credentials: xdr.SorobanCredentials): Call => ({
      fn: "agree",
      args,
      auth: [new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation })]
    })
    const sourced = agreeing(xdr.SorobanCredentials.sorobanCredentialsSourceAccount())
    const calls = [sourced, { ...sourced, auth: [] }, { ...sourced, source: idOf(Keypair.random()) }]
    assert.deepStrictEqual(calls.map(outcomeOf), ["success", "trapped", "trapped"])
    const signed = new xdr.SorobanAddressCredentials({ address, nonce: 1n, signatureExpirationLedger: now, signature: voidVal })
    const delegating = new xdr.SorobanAddressCredentialsWithDelegates({ addressCredentials: signed, delegates: [] })
    const delegated = agreeing(xdr.SorobanCredentials.sorobanCredentialsAddressWithDelegates(delegating))
    assert.strictEqual(outcomeOf(delegated), "trapped")
    assert.deepStrictEqual(run(delegated).receipt.diagnosticEvents, [], "the operation fails before anything runs")
  })

  it("does not hide what is no error of the host", () => {
    assert.throws(() => run({ fn: "crash" }), crash)
  })
})
