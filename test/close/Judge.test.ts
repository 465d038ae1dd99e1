import { assert, describe, it } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect } from "effect"
import type { TransactionRecord, UnreadableRecord } from "../../src/chain/ledger-api/TransactionRecord.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { judging } from "../../src/close/watch/Judge.ts"
import { UpstreamUnusable } from "../../src/domain/failure/Upstream.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { addressOf } from "../account/support/World.ts"
import { delivered, enacted, mediated, payment, watchedLedger } from "./support/WatchedLedger.ts"

/** A judge of the mediator's transactions, who knows the sweep account where one is given. */
const court = Effect.gen(function*() {
  const scene = yield* mediated
  const api = yield* LedgerApi
  const mediator = addressOf(scene.mediator)

  /** What concerned the mediator last. */
  const newest = Effect.map(
    api.laterTransactions(mediator, 0n, { limit: 1 }),
    ({ records: [record] }) => record === undefined || record.envelope === null ? assert.fail("no record") : record
  )
  const judge = (record: TransactionRecord | UnreadableRecord, sweepAccount: Keypair | null = null) => {
    const set = sweepAccount === null ? [] : [["TESTNET_MEDIATOR_SWEEP_ACCOUNT", sweepAccount.publicKey()] as const]
    return Effect.flatMap(judging(mediator), (judged) => judged(record)).pipe(
      Effect.provide(scene.registry),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(set)))
    )
  }
  return { ...scene, newest, judge, judgeNewest: Effect.flatMap(newest, (record) => judge(record)) }
})

describe("a transaction of a mediator's account", () => {
  it.effect("is fine where it is a close or a gift, and took what the close paid beyond what it delivered", () =>
    Effect.gen(function*() {
      const { close, closing, gift, judgeNewest } = yield* court
      for (const less of [0n, 70n]) {
        yield* close(yield* closing, delivered - less)
        assert.deepStrictEqual(yield* judgeNewest, { rule: null, pauses: false, spent: -less })
      }
      yield* gift("3")
      assert.deepStrictEqual(yield* judgeNewest, { rule: null, pauses: false, spent: 0n })
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("is fine where it is a sweep into the account that the setting names, and pauses without that setting", () =>
    Effect.gen(function*() {
      const { gift, judge, mediator, newest, operator, stranger } = yield* court
      yield* gift("3")
      yield* perform("a sweep", { as: mediator, operations: [payment(mediator, operator, "2")] })
      const sweep = yield* newest
      assert.deepStrictEqual(yield* judge(sweep, operator), { rule: null, pauses: false, spent: 2_0000000n + 100n })
      for (const other of [null, stranger]) {
        assert.deepStrictEqual(yield* judge(sweep, other), { rule: "own_transaction", pauses: true, spent: 0n })
      }
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("pauses where it is a close into an address that the registry does not list", () =>
    Effect.gen(function*() {
      const { close, closing, judgeNewest, stranger } = yield* court
      yield* close(yield* closing, delivered, stranger)
      assert.deepStrictEqual(yield* judgeNewest, { rule: "unregistered_destination", pauses: true, spent: 0n })
    }).pipe(Effect.provide(watchedLedger())))
})

describe("a close that paid more than it delivered", () => {
  it.effect("pauses where nothing took from its account before", () =>
    Effect.gen(function*() {
      const { close, closing, gift, judgeNewest } = yield* court
      yield* gift("3")
      yield* close(yield* closing, delivered + 5n)
      assert.deepStrictEqual(yield* judgeNewest, { rule: "paid_more_than_delivered", pauses: true, spent: 5n })
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("does not pause where its account may have been drained, and is a loss", () =>
    Effect.gen(function*() {
      const { close, closing, gift, judgeNewest, stranger } = yield* court
      const source = yield* closing
      yield* gift("3")
      yield* enacted(stranger, payment(source, stranger, "1"))
      yield* close(source, delivered)
      assert.deepStrictEqual(yield* judgeNewest, { rule: "drained_close", pauses: false, spent: 1_0000000n })
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("is not judged where the history of its account cannot be read", () =>
    Effect.gen(function*() {
      const { close, closing, gift, judge, newest } = yield* court
      yield* gift("3")
      yield* close(yield* closing, delivered + 5n)
      const record = yield* newest
      const { faults } = yield* Network
      yield* faults.set({ fault: new LaggingLedgerApi({ ledgers: 1 }) })
      assert.deepStrictEqual(yield* Effect.flip(judge(record)), new UpstreamUnusable({ source: "ledger_api" }))
    }).pipe(Effect.provide(watchedLedger())))
})

describe("a transaction that a defect keeps from being judged", () => {
  const broken = (): never => {
    throw new Error("a defect")
  }
  /** The same record, of which only the signatures can be read. */
  const withoutResult = (record: TransactionRecord): TransactionRecord => ({
    ...record,
    get result() {
      return broken()
    }
  })
  /** The same record, of which nothing can be read. */
  const withoutAnything = (record: TransactionRecord): TransactionRecord => ({
    ...record,
    get envelope() {
      return broken()
    }
  })

  it.effect("pauses where the mediator's key signed it, or nobody can tell, and not where it is a stranger's", () =>
    Effect.gen(function*() {
      const { close, closing, judge, newest, operationsOf } = yield* court
      yield* close(yield* closing, delivered)
      const own = yield* newest
      const source = yield* closing
      yield* enacted(source, ...operationsOf(source, delivered))
      const strangers = yield* newest
      assert.deepStrictEqual(yield* judge(strangers), { rule: null, pauses: false, spent: 0n })
      assert.deepStrictEqual(yield* judge(withoutResult(own)), { rule: "unreadable", pauses: true, spent: 0n })
      assert.deepStrictEqual(yield* judge(withoutResult(strangers)), { rule: null, pauses: false, spent: 0n })
      for (const record of [own, strangers]) {
        assert.deepStrictEqual(yield* judge(withoutAnything(record)), { rule: "unreadable", pauses: true, spent: 0n })
      }
    }).pipe(Effect.provide(watchedLedger())))
})
