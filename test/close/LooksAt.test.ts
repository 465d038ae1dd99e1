import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect, Metric } from "effect"
import { Watched } from "../../src/close/watch/Watched.ts"
import { looksAt } from "../../src/close/watch/Watcher.ts"
import { SourcesDisagree, UpstreamUnusable } from "../../src/domain/failure/Upstream.ts"
import { TransactionHash } from "../../src/domain/Ledger.ts"
import { prometheusText } from "../../src/http/metrics/Prometheus.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { UnknownArms } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { transactionToken } from "../../src/sandbox/rest/TransactionResource.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { addressOf, isRpc, methodOf } from "../account/support/World.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { altering } from "./support/AlteredEntries.ts"
import type { Lie } from "./support/Sources.ts"
import { hosts, twoEndpoints } from "./support/TwoEndpoints.ts"
import { delivered, enacted, mediated, payment, watchedLedger } from "./support/WatchedLedger.ts"

/** A mediator whose account is looked at by hand, and what the operator reads of it. `of`: another account in its place. */
const beginning = Effect.fnUntraced(function*(of?: Keypair) {
  const scene = yield* mediated
  const { mediator, operator } = scene
  const watched = new Watched(0)
  const log = serviceLog()
  const settings = ConfigProvider.fromMap(new Map([["TESTNET_MEDIATOR_SWEEP_ACCOUNT", operator.publicKey()]]))
  const looks = yield* looksAt(addressOf(of ?? mediator), watched).pipe(Effect.withConfigProvider(settings), Effect.provide(scene.registry))
  const history = Effect.provide(looks.history, log.layer)
  const account = Effect.provide(looks.account, log.layer)
  return {
    ...scene,
    watched,
    history,
    account,
    /** Both looks of a ledger. */
    both: Effect.zipRight(history, account),
    /** The look at the account, although nothing is known to have changed it. */
    accountAnyway: Effect.zipRight(
      Effect.sync(() => {
        watched.isDue = true
      }),
      account
    ),
    told: () => log.lines.map(({ fields, text }) => ({ text, ...fields }))
  }
})

const pausedBy = (rule: string, hash: string | null) => ({
  text: "the mediator is paused: its account was used in a way that no close explains",
  network: "testnet",
  rule,
  hash
})

const drainedBy = (hash: string) => ({
  text: "the mediator paid a part of a close whose account was drained",
  network: "testnet",
  rule: "drained_close",
  hash
})

/** How often a rule was broken; the counters belong to the process. */
const alarms = (rule: string) =>
  Effect.map(Metric.snapshot, (all) => {
    const line = new RegExp(`^closeout_mediator_alarms_total\\{network="testnet",rule="${rule}"\\} (\\d+)$`, "m")
    return Number(line.exec(prometheusText(all))?.[1] ?? 0)
  })

/** A payment by the mediator's key that no close explains. */
const theft = ({ mediator, stranger }: Effect.Effect.Success<typeof mediated>) =>
  Effect.map(
    perform("a theft", { as: mediator, operations: [payment(mediator, stranger, "1")] }),
    ({ facts }) => TransactionHash.make(facts.hash)
  )

/** The ledger API reports transactions in a form that no one can read. */
const unreadable = Effect.flatMap(
  Network,
  ({ faults }) => faults.set({ fault: new UnknownArms({ in: ["envelopes"] }), rest: "/accounts/:id/transactions" })
)

describe("a look at the history of a mediator's account", () => {
  it.effect("knows the newest transaction, and makes the account due after each that is new", () =>
    Effect.gen(function*() {
      const { both, gift, history, watched } = yield* beginning()
      const first = transactionToken(yield* gift("1"))
      yield* both
      for (let times = 0; times < 2; times += 1) {
        assert.deepStrictEqual([watched.isDue, watched.newest], [false, first])
        yield* history
      }
      const last = transactionToken(yield* gift("1"))
      yield* history
      assert.deepStrictEqual([watched.isDue, watched.newest], [true, last])
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("tells of each misuse and counts it, and pauses by the last one", () =>
    Effect.gen(function*() {
      const scene = yield* beginning()
      const { gift, history, told, watched } = scene
      yield* gift("3")
      yield* history
      const before = yield* alarms("own_transaction")
      const [first, last] = [yield* theft(scene), yield* theft(scene)]
      yield* gift("3")
      yield* history
      assert.deepStrictEqual(told(), [first, last].map((hash) => pausedBy("own_transaction", hash)))
      assert.deepStrictEqual(watched.broken, { rule: "own_transaction", hash: last })
      assert.strictEqual((yield* alarms("own_transaction")) - before, 2)
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("tells of a drained close and counts it, without a pause", () =>
    Effect.gen(function*() {
      const { both, close, closing, gift, stranger, told, watched } = yield* beginning()
      const source = yield* closing
      yield* gift("3")
      yield* both
      yield* enacted(stranger, payment(source, stranger, "1"))
      const { facts } = yield* close(source, delivered)
      const before = yield* alarms("drained_close")
      yield* both
      assert.deepStrictEqual([told(), watched.alarm], [[drainedBy(facts.hash)], null])
      assert.strictEqual((yield* alarms("drained_close")) - before, 1)
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("goes on after the last transaction that it could judge", () =>
    Effect.gen(function*() {
      const scene = yield* beginning()
      const { close, closing, gift, history, told, watched } = scene
      const source = yield* closing
      yield* gift("3")
      const stolen = yield* theft(scene)
      const { facts } = yield* close(source, delivered + 1n)
      const { faults } = yield* Network
      yield* faults.set({ fault: new LaggingLedgerApi({ ledgers: 1 }), rest: `/accounts/${source.publicKey()}/transactions` })
      assert.deepStrictEqual(yield* Effect.flip(history), new UpstreamUnusable({ source: "ledger_api" }))
      assert.deepStrictEqual([watched.alarm, watched.isDue], [{ rule: "own_transaction", hash: stolen }, true])
      yield* faults.clear()
      yield* history
      assert.deepStrictEqual(told(), [pausedBy("own_transaction", stolen), pausedBy("paid_more_than_delivered", facts.hash)])
    }).pipe(Effect.provide(watchedLedger())))
})

describe("a look at a mediator's account", () => {
  it.effect("reads it once for what is new", () => {
    let reads = 0
    const ledger = watchedLedger((request, send) => {
      if (isRpc(request) && methodOf(request) === "getLedgerEntries") reads += 1
      return send
    })
    return Effect.gen(function*() {
      const { account, both, gift } = yield* beginning()
      yield* both
      yield* account
      assert.strictEqual(reads, 1)
      yield* gift("1")
      yield* both
      yield* both
      assert.strictEqual(reads, 2)
    }).pipe(Effect.provide(ledger))
  })

  it.effect("is due again where it failed, and where something new came while it was read", () => {
    const during: { seen: () => void } = { seen: () => {} }
    const ledger = watchedLedger((request, send) =>
      Effect.zipLeft(send, Effect.sync(() => methodOf(request) === "getLedgerEntries" && during.seen()))
    )
    return Effect.gen(function*() {
      const { account, both, watched } = yield* beginning()
      const { faults } = yield* Network
      yield* faults.set({ fault: new UnknownArms({ in: ["accounts"] }) })
      assert.strictEqual((yield* Effect.flip(account))._tag, "UpstreamUnusable")
      assert.deepStrictEqual([watched.isDue, watched.first], [true, null])
      yield* faults.clear()
      yield* both
      assert.isFalse(watched.isDue)
      watched.isDue = true
      during.seen = () => {
        watched.isDue = true
      }
      yield* account
      assert.isTrue(watched.isDue)
    }).pipe(Effect.provide(ledger))
  })

  it.effect("is not due again where it finds none, unless history names one", () =>
    Effect.gen(function*() {
      const nobody = Keypair.random()
      const { both, watched } = yield* beginning(nobody)
      yield* both
      assert.deepStrictEqual([watched.isDue, watched.first, watched.alarm], [false, null, null])
      yield* fund("2", nobody)
      const { root } = yield* Network
      yield* enacted(nobody, Operation.accountMerge({ destination: root.publicKey() }))
      yield* both
      assert.deepStrictEqual([watched.isDue, watched.first], [true, null])
      yield* fund("2", nobody)
      yield* both
      assert.deepStrictEqual([watched.isDue, watched.first?.heldReserve], [false, true])
    }).pipe(Effect.provide(watchedLedger())))
})

describe("the control of a mediator's account", () => {
  it.effect("pauses once it changed, tells so once, and no longer pauses once it is as before", () =>
    Effect.gen(function*() {
      const { accountAnyway, mediator, stranger, told, watched } = yield* beginning()
      const setFlags = (fields: { readonly setFlags?: 1; readonly clearFlags?: 1 }) =>
        enacted(stranger, Operation.setOptions({ source: mediator.publicKey(), ...fields }))
      yield* accountAnyway
      const before = yield* alarms("control_changed")
      for (const times of [1, 2]) {
        yield* setFlags({ setFlags: 1 })
        yield* accountAnyway
        yield* accountAnyway
        assert.deepStrictEqual(watched.alarm, { rule: "control_changed", hash: null })
        assert.deepStrictEqual(told(), Array.from({ length: times }, () => pausedBy("control_changed", null)))
        yield* setFlags({ clearFlags: 1 })
        yield* accountAnyway
        assert.isNull(watched.alarm)
      }
      assert.strictEqual((yield* alarms("control_changed")) - before, 2)
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("is told anew where another rule is broken", () =>
    Effect.gen(function*() {
      const { accountAnyway, mediator, told, watched } = yield* beginning()
      const { amend, root } = yield* Network
      yield* accountAnyway
      yield* amend((state) => state.at({ baseReserve: 6_000_000 }))
      yield* accountAnyway
      yield* enacted(root, Operation.accountMerge({ source: mediator.publicKey(), destination: root.publicKey() }))
      yield* accountAnyway
      assert.deepStrictEqual(told(), [pausedBy("below_reserve", null), pausedBy("account_gone", null)])
      assert.deepStrictEqual(watched.alarm, { rule: "account_gone", hash: null })
    }).pipe(Effect.provide(watchedLedger())))
})

describe("the lumens of a mediator's account", () => {
  it.effect("are all there after sweeps, closes and gifts", () =>
    Effect.gen(function*() {
      const { both, close, closing, gift, mediator, operator, told, watched } = yield* beginning()
      yield* gift("3")
      yield* both
      yield* perform("a sweep", { as: mediator, operations: [payment(mediator, operator, "2.99999")] })
      yield* both
      yield* close(yield* closing, delivered)
      yield* gift("1")
      yield* both
      assert.deepStrictEqual([told(), watched.alarm, watched.isDue], [[], null, false])
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("pause it for good where some are missing that no known transaction took", () =>
    Effect.gen(function*() {
      const { both, gift, mediator, stranger, told, watched } = yield* beginning()
      yield* gift("3")
      yield* both
      yield* unreadable
      const before = yield* alarms("lumens_missing")
      for (const amount of ["0.0000001", "1"]) {
        yield* enacted(stranger, payment(mediator, stranger, amount))
        yield* both
        assert.deepStrictEqual([told(), watched.broken], [[pausedBy("lumens_missing", null)], { rule: "lumens_missing", hash: null }])
      }
      assert.strictEqual((yield* alarms("lumens_missing")) - before, 1)
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("are counted no more after a transaction that pauses, for what it took is not known", () =>
    Effect.gen(function*() {
      const scene = yield* beginning()
      yield* scene.gift("3")
      yield* scene.both
      yield* unreadable
      const hash = yield* theft(scene)
      yield* scene.both
      assert.deepStrictEqual([scene.told(), scene.watched.broken], [[pausedBy("unreadable", hash)], { rule: "unreadable", hash }])
    }).pipe(Effect.provide(watchedLedger())))

  it.effect("are looked at again where the account is newer than its history", () =>
    Effect.gen(function*() {
      const { accountAnyway, both, gift, told, watched } = yield* beginning()
      yield* both
      yield* gift("3")
      yield* accountAnyway
      assert.isTrue(watched.isDue)
      yield* both
      assert.deepStrictEqual([watched.isDue, watched.alarm, told()], [false, null, []])
    }).pipe(Effect.provide(watchedLedger())))
})

describe("a mediator's account behind two endpoints", () => {
  const disagreeing = new SourcesDisagree({ about: "account" })

  /** Shows another balance than the true one. */
  const holding = (mediator: Keypair, more: bigint): Lie =>
    altering(accountKey(addressOf(mediator)), (data) => {
      if (data.type !== "account") return assert.fail("no account")
      const { account } = data
      return { data: xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...account, balance: account.balance + more })) }
    })

  for (const liar of hosts) {
    const { ledger, lies } = twoEndpoints()
    it.effect(`pauses nothing where ${liar} alone shows a lumen less, and is looked at again`, () =>
      Effect.gen(function*() {
        const { account, both, gift, mediator, told, watched } = yield* beginning()
        yield* gift("3")
        yield* both
        yield* gift("1")
        lies.set(liar, holding(mediator, -2_0000000n))
        for (const look of [both, account]) {
          assert.deepStrictEqual(yield* Effect.flip(look), disagreeing)
          assert.deepStrictEqual([watched.isDue, watched.alarm], [true, null])
        }
        lies.clear()
        yield* both
        assert.deepStrictEqual([watched.isDue, watched.alarm, told()], [false, null, []])
      }).pipe(Effect.provide(ledger)))
  }

  const { ledger: ofOneMind, lies: sameLies } = twoEndpoints()
  it.effect("pauses it at once where both show that lumens are missing", () =>
    Effect.gen(function*() {
      const { both, gift, mediator, told, watched } = yield* beginning()
      yield* gift("3")
      yield* both
      yield* gift("1")
      for (const host of hosts) sameLies.set(host, holding(mediator, -2_0000000n))
      yield* both
      assert.deepStrictEqual([told(), watched.alarm], [[pausedBy("lumens_missing", null)], { rule: "lumens_missing", hash: null }])
    }).pipe(Effect.provide(ofOneMind)))

  const { ledger: withoutNews, stuck } = twoEndpoints()
  it.effect("pauses it one ledger later where the other never reaches the ledger that shows it", () =>
    Effect.gen(function*() {
      const { account, both, gift, mediator, stranger, told, watched } = yield* beginning()
      const { closeLedger } = yield* Network
      yield* gift("3")
      yield* both
      stuck.add(hosts[0])
      yield* unreadable
      yield* enacted(stranger, payment(mediator, stranger, "1"))
      for (const look of [both, account]) {
        yield* look
        assert.deepStrictEqual([watched.isDue, watched.alarm, told()], [true, null, []])
      }
      yield* closeLedger()
      yield* account
      assert.deepStrictEqual([watched.isDue, told()], [false, [pausedBy("lumens_missing", null)]])
    }).pipe(Effect.provide(withoutNews)))

  const { ledger: misled, lies: firstLies } = twoEndpoints()
  it.effect("is first known as both show it", () =>
    Effect.gen(function*() {
      const { account, mediator, told, watched } = yield* beginning()
      firstLies.set(hosts[1], (method, result) => method === "getLedgerEntries" ? { ...result, entries: [] } : result)
      assert.deepStrictEqual(yield* Effect.flip(account), disagreeing)
      firstLies.set(hosts[1], holding(mediator, 1n))
      assert.deepStrictEqual(yield* Effect.flip(account), disagreeing)
      assert.deepStrictEqual(watched.first, null)
      firstLies.clear()
      yield* account
      assert.deepStrictEqual([watched.first?.heldReserve, watched.alarm, told()], [true, null, []])
    }).pipe(Effect.provide(misled)))
})
