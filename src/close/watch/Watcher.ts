import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Deferred, Effect, Layer, Metric, Option } from "effect"
import { sleepOneLedger } from "../../chain/CloseInterval.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import type { TransactionRecord, UnreadableRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { type EndpointAnswer, NewestEntries } from "../../chain/witness/NewestEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { sharedFor } from "../../fibers/SharedWork.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import * as MediatorMetrics from "../mediator/MediatorMetrics.ts"
import { accountIn } from "../situation/MediatorAccount.ts"
import { MediatorSigner } from "../situation/MediatorSigner.ts"
import { type MediatorAlarm, MediatorWatch } from "../situation/MediatorWatch.ts"
import { type AccountControl, brokenControl, controlOf } from "./AccountControl.ts"
import { judging } from "./Judge.ts"
import { uncheckedTransactions } from "./UncheckedTransactions.ts"
import { Watched } from "./Watched.ts"

/** All calls within this time share one look. */
const shared = "250 millis"

/** Reports an alarm in the log and the metrics. */
const telling = Effect.map(NetworkSettings, ({ network }) => (alarm: MediatorAlarm, pauses: boolean) => {
  const labelled = Metric.tagged(Metric.tagged(MediatorMetrics.alarms, "network", network), "rule", alarm.rule)
  const told = pauses
    ? Effect.logError("the mediator is paused: its account was used in a way that no close explains", { network, ...alarm })
    : Effect.logWarning("the mediator paid a part of a close whose account was drained", { network, ...alarm })
  return Effect.zipRight(Metric.increment(labelled), told)
})

/** Judges the transactions that are new. */
const lookingAtHistory = Effect.fnUntraced(function*(address: AccountAddress, watched: Watched) {
  const unread = yield* uncheckedTransactions
  const judge = yield* judging(address)
  const tell = yield* telling
  const look = Effect.fnUntraced(function*(record: TransactionRecord | UnreadableRecord) {
    const { pauses, rule, spent } = yield* judge(record)
    watched.newest = record.pagingToken
    watched.isDue = true
    watched.lumens.spend({ ledger: record.ledger, stroops: spent })
    if (rule === null) return
    const alarm: MediatorAlarm = { rule, hash: record.hash }
    if (pauses) watched.broken = alarm
    yield* tell(alarm, pauses)
  })
  return Effect.gen(function*() {
    const { newest, unchecked } = yield* unread(address, watched.newest)
    yield* Effect.forEach(unchecked, look, { discard: true })
    watched.newest = newest
    watched.lumens.reach(newest)
  })
})

/** Holds the account against what it was at first, and its lumens against its transactions, after each transaction that is new. */
const lookingAtAccount = Effect.fnUntraced(function*(address: AccountAddress, watched: Watched) {
  const entries = yield* NewestEntries
  const tell = yield* telling
  const alarmed = (rule: string) => tell({ rule, hash: null }, true)

  /** What a transaction that pauses took is not known, so lumens are not counted any more. */
  const countLumens = Effect.fnUntraced(function*(entry: xdr.LedgerEntry, account: xdr.AccountEntry, sequence: number) {
    if (watched.broken !== null) return
    const missing = watched.lumens.areMissing(account, entry.lastModifiedLedgerSeq, sequence)
    watched.isDue ||= missing === null
    if (missing !== true) return
    watched.broken = { rule: "lumens_missing", hash: null }
    yield* alarmed("lumens_missing")
  })

  const checkControl = Effect.fnUntraced(function*(first: AccountControl, account: xdr.AccountEntry | null, baseReserve: number) {
    const rule = brokenControl(first, account, baseReserve)
    const isNew = rule !== null && rule !== watched.changed?.rule
    watched.changed = rule === null ? null : { rule, hash: null }
    if (isNew) yield* alarmed(rule)
  })

  /** Null: to be looked at again. */
  const believed = (answers: ReadonlyArray<EndpointAnswer>): Effect.Effect<EndpointAnswer | null, SourcesDisagree> => {
    const told = Arr.isNonEmptyReadonlyArray(answers) ? watched.confirmation.believed(answers) : null
    if (told === null) watched.isDue = true
    return told instanceof SourcesDisagree ? Effect.fail(told) : Effect.succeed(told)
  }

  /** A transaction that becomes known during the read makes the account due again. */
  const read = Effect.suspend(() => {
    watched.isDue = false
    return Effect.flatMap(entries.all([accountKey(address)]), believed)
  }).pipe(Effect.onError(() =>
    Effect.sync(() => {
      watched.isDue = true
    })
  ))

  return Effect.gen(function*() {
    if (!watched.isDue) return
    const answer = yield* read
    if (answer === null) return
    const { entries: [entry], header: { baseReserve }, ledger } = answer
    const account = accountIn(entry)
    if (entry !== undefined && account !== null) yield* countLumens(entry, account, ledger)
    if (watched.first !== null) return yield* checkControl(watched.first, account, baseReserve)
    if (account !== null) watched.first = controlOf(account, baseReserve)
    // One that history names exists, or will.
    else watched.isDue ||= watched.newest !== null
  })
})

/** The two looks of every ledger: at what is new in the history of an account, and at the account. */
export const looksAt = (address: AccountAddress, watched: Watched) =>
  Effect.all({ history: lookingAtHistory(address, watched), account: lookingAtAccount(address, watched) })

/** Looks at an account once a ledger, as long as the layer lives. */
const watching = Effect.fnUntraced(function*(address: AccountAddress) {
  const { closeInterval } = yield* ContractRpc
  const settings = yield* NetworkSettings
  const watched = new Watched(yield* steadyMillis)
  const begun = yield* Deferred.make<void>()
  const provided = Effect.provideService(NetworkSettings, settings)
  const looks = yield* looksAt(address, watched)
  const history = provided(watched.reading("history", looks.history))
  const account = provided(watched.reading("account", looks.account))

  const oneAtATime = yield* Effect.makeSemaphore(1)
  const look = yield* sharedFor(
    shared,
    "MediatorWatch.look",
    oneAtATime.withPermits(1)(Effect.zipRight(history, Deferred.succeed(begun, undefined)))
  )
  yield* Effect.forkScoped(Effect.forever(Effect.all([look, account, sleepOneLedger(closeInterval)], { discard: true })))

  const alarm = Effect.sync(() => watched.alarm)
  return MediatorWatch.of({
    look: Effect.asVoid(look),
    alarm,
    firstAlarm: Effect.zipRight(Deferred.await(begun), alarm),
    blindFor: Effect.map(steadyMillis, (now) => {
      const millis = watched.blindFor(now)
      return millis === null ? null : Math.ceil(millis / 1000)
    })
  })
})

/** The watch over the mediator's account, where there is a mediator. */
export const layer = Layer.unwrapEffect(
  Effect.map(MediatorSigner, ({ mediator }) =>
    Option.match(mediator, {
      onNone: () => MediatorWatch.layerNone,
      onSome: ({ address }) => Layer.scoped(MediatorWatch, watching(address))
    }))
)
