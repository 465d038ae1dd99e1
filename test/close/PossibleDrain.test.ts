import { assert, describe, it } from "@effect/vitest"
import { Account, Asset, Keypair, Networks, Operation, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { TransactionRecord, UnreadableRecord } from "../../src/chain/ledger-api/TransactionRecord.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { mayHaveHeldMore, possibleDrain } from "../../src/close/watch/PossibleDrain.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { UpstreamUnusable } from "../../src/domain/failure/Upstream.ts"
import { TransactionHash } from "../../src/domain/Ledger.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { addressOf } from "../account/support/World.ts"
import { contractOfByte } from "../support/Addresses.ts"
import { layer } from "../support/Layered.ts"
import { delivered, enacted, mediated, payment, watchedLedger } from "./support/WatchedLedger.ts"

const [closing, stranger] = [Keypair.random(), Keypair.random()]

const place = { hash: TransactionHash.make("0".repeat(64)), ledger: 1, pagingToken: 1n, closedAt: null }

const resultOf = (applied: boolean) =>
  new xdr.TransactionResult({
    feeCharged: 100n,
    result: applied ? xdr.TransactionResultResult.txSuccess([]) : xdr.TransactionResultResult.txFailed([]),
    ext: xdr.TransactionResultExt.v0()
  })

const built = (source: Keypair, ...operations: ReadonlyArray<xdr.Operation>) => {
  const builder = new TransactionBuilder(new Account(source.publicKey(), "1"), { fee: "100", networkPassphrase: Networks.TESTNET })
  for (const operation of operations) builder.addOperation(operation)
  return builder.setTimeout(0).build()
}

const record = (source: Keypair, operations: ReadonlyArray<xdr.Operation>, applied = true): TransactionRecord => ({
  ...place,
  envelope: built(source, ...operations).toEnvelope(),
  result: resultOf(applied)
})

const pay = (source: Keypair, destination: Keypair) =>
  Operation.payment({ source: source.publicKey(), destination: destination.publicKey(), asset: Asset.native(), amount: "1" })

const gift = record(stranger, [pay(stranger, closing)])
const drain = record(stranger, [pay(closing, stranger)])
const exchange = record(stranger, [pay(stranger, closing), pay(closing, stranger)])
const own = record(closing, [pay(closing, stranger)])
const call = record(stranger, [
  Operation.invokeContractFunction({ contract: contractOfByte(0), function: "transfer_from", args: [] })
])
const feeBy = (payer: Keypair): TransactionRecord => ({
  ...gift,
  envelope: TransactionBuilder.buildFeeBumpTransaction(payer, "200", built(stranger, pay(stranger, closing)), Networks.TESTNET)
    .toEnvelope()
})
const unreadable: UnreadableRecord = { ...place, envelope: null, signed: [] }

const histories: ReadonlyArray<
  readonly [name: string, records: ReadonlyArray<TransactionRecord | UnreadableRecord>, complete: boolean, expected: boolean]
> = [
  ["nothing", [], true, false],
  ["gifts only", [gift, gift], true, false],
  ["gifts, and more than one page of them", [gift, gift], false, true],
  ["gifts after an own transaction, and more", [gift, own, gift], false, false],
  ["an operation in another's transaction", [gift, drain, gift], true, true],
  ["one operation among others in another's transaction", [exchange], true, true],
  ["one that failed", [record(stranger, [pay(closing, stranger)], false)], true, false],
  ["one before an own transaction", [gift, own, drain], true, false],
  ["a contract call of others", [call], true, true],
  ["the fee of another's transaction", [feeBy(closing)], true, true],
  ["a fee that somebody else paid", [feeBy(stranger)], true, false],
  ["a transaction in an unknown form", [gift, unreadable], true, true]
]

describe("an account that delivered less than the mediator paid", () => {
  for (const [name, records, complete, expected] of histories) {
    it(`${expected ? "may" : "cannot"} have been drained after ${name}`, () => {
      const account = AccountAddress.make(closing.publicKey())
      assert.strictEqual(mayHaveHeldMore({ records, complete }, account, Networks.TESTNET), expected)
    })
  }
})

/** Closes an account by the mediator, and returns the record of that close. */
const closed = (scene: Effect.Effect.Success<typeof mediated>, source: Keypair) =>
  Effect.gen(function*() {
    yield* scene.close(source, delivered - 100n)
    const { records: [record] } = yield* (yield* LedgerApi).laterTransactions(addressOf(scene.mediator), 0n, { limit: 1 })
    return record ?? assert.fail("no close")
  })

/** Whether an account may have been drained before a close. */
const mayBeDrained = (source: Keypair, close: TransactionRecord | UnreadableRecord) =>
  Effect.flatMap(possibleDrain, (isDrained) => isDrained(addressOf(source), close))

layer(watchedLedger())("the history of an account before its close", (it) => {
  it.effect("tells of what took from it, and of nothing that came after the close", () =>
    Effect.gen(function*() {
      const scene = yield* mediated
      const { closing, stranger } = scene
      const [source, drained] = [yield* closing, yield* closing]
      const close = yield* closed(scene, source)
      yield* fund("5", source)
      yield* enacted(stranger, payment(source, stranger, "1"))
      assert.isFalse(yield* mayBeDrained(source, close))
      yield* enacted(stranger, payment(drained, stranger, "0.000001"))
      assert.isTrue(yield* mayBeDrained(drained, yield* closed(scene, drained)))
    }))

  it.effect("tells no more than the 199 transactions before the close, beyond which it may have been drained", () =>
    Effect.gen(function*() {
      const scene = yield* mediated
      const { closing, stranger } = scene
      for (const [gifts, expected] of [[198, false], [199, true]] as const) {
        const source = yield* closing
        yield* enacted(source, Operation.bumpSequence({ source: source.publicKey(), bumpTo: "0" }))
        yield* Effect.replicateEffect(enacted(stranger, payment(stranger, source, "0.0000001")), gifts)
        assert.strictEqual(yield* mayBeDrained(source, yield* closed(scene, source)), expected)
      }
    }))

  it.effect("is not believed where it does not begin with the close", () =>
    Effect.gen(function*() {
      const scene = yield* mediated
      const source = yield* scene.closing
      const close = yield* closed(scene, source)
      const unusable = new UpstreamUnusable({ source: "ledger_api" })
      assert.deepStrictEqual(yield* Effect.flip(mayBeDrained(Keypair.random(), close)), unusable)
      const { faults } = yield* Network
      yield* faults.set({ fault: new LaggingLedgerApi({ ledgers: 1 }) })
      assert.deepStrictEqual(yield* Effect.flip(mayBeDrained(source, close)), unusable)
    }))
})
