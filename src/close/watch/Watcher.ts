import { Deferred, Effect, Layer, Metric, Option } from "effect"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import type { TransactionRecord, UnreadableRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { NewestEntries } from "../../chain/witness/NewestEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { ledgerSeconds } from "../../domain/Ledger.ts"
import { sharedFor } from "../../fibers/SharedWork.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import * as MediatorMetrics from "../mediator/MediatorMetrics.ts"
import { FloatSettings } from "../situation/FloatSettings.ts"
import { accountIn } from "../situation/MediatorAccount.ts"
import { MediatorSigner } from "../situation/MediatorSigner.ts"
import { type MediatorAlarm, MediatorWatch } from "../situation/MediatorWatch.ts"
import { sweepAccount } from "../sweep/MediatorSweep.ts"
import { brokenControl, controlOf } from "./AccountControl.ts"
import { breachOf, type Honest } from "./Breach.ts"
import { uncheckedTransactions } from "./UncheckedTransactions.ts"
import { Watched } from "./Watched.ts"

/** All calls within this time share one look. */
const shared = "250 millis"

/** Reports an alarm in the log and the metrics. */
const telling = Effect.map(NetworkSettings, ({ network }) => (alarm: MediatorAlarm, pauses: boolean) => {
  const labelled = Metric.tagged(Metric.tagged(MediatorMetrics.alarms, "network", network), "rule", alarm.rule)
  const told = pauses
    ? Effect.logError("the mediator is paused: its account was used in a way that no close explains", { network, ...alarm })
    : Effect.logWarning("the mediator paid a part of a close", { network, ...alarm })
  return Effect.zipRight(Metric.increment(labelled), told)
})

/** Judges the transactions that are new. */
const lookingAtHistory = Effect.fnUntraced(function*(address: AccountAddress, watched: Watched) {
  const { network, passphrase } = yield* NetworkSettings
  const { warn } = yield* FloatSettings
  const registry = yield* ExchangeRegistry
  const unread = yield* uncheckedTransactions
  const tell = yield* telling
  const honest: Honest = {
    mediator: address,
    passphrase,
    sweepAccount: Option.getOrNull(yield* sweepAccount(network)),
    listingOf: (destination) => Option.getOrNull(registry.lookup(destination)),
    tolerated: warn
  }
  const judge = Effect.fnUntraced(function*(record: TransactionRecord | UnreadableRecord) {
    // A defect must not end the watch.
    const found = yield* Effect.orElseSucceed(Effect.try(() => breachOf(record, honest)), () => ({ rule: "unreadable", pauses: true }))
    if (found === null) return
    const alarm: MediatorAlarm = { rule: found.rule, hash: record.hash }
    if (found.pauses) watched.broken = alarm
    yield* tell(alarm, found.pauses)
  })
  return Effect.gen(function*() {
    const { newest, unchecked } = yield* unread(address, watched.newest)
    yield* Effect.forEach(unchecked, judge, { discard: true })
    watched.newest = newest
    watched.isDue ||= unchecked.length > 0
  })
})

/** Holds the account against what it was at first, after each transaction that is new. */
const lookingAtAccount = Effect.fnUntraced(function*(address: AccountAddress, watched: Watched) {
  const entries = yield* NewestEntries
  const tell = yield* telling
  return Effect.gen(function*() {
    if (!watched.isDue) return
    const { entries: [entry], header: { baseReserve } } = yield* entries.read([accountKey(address)])
    const account = accountIn(entry)
    // One that history names exists, or will.
    watched.isDue = account === null && watched.first === null && watched.newest !== null
    if (watched.first === null) {
      if (account !== null) watched.first = controlOf(account, baseReserve)
      return
    }
    const rule = brokenControl(watched.first, account, baseReserve)
    const isNew = rule !== null && rule !== watched.changed?.rule
    watched.changed = rule === null ? null : { rule, hash: null }
    if (isNew) yield* tell({ rule, hash: null }, true)
  })
})

/** Looks at an account once a ledger, as long as the layer lives. */
const watching = Effect.fnUntraced(function*(address: AccountAddress) {
  const { closeInterval } = yield* ContractRpc
  const settings = yield* NetworkSettings
  const watched = new Watched(yield* steadyMillis)
  const begun = yield* Deferred.make<void>()
  const provided = Effect.provideService(NetworkSettings, settings)
  const history = provided(watched.reading("history", yield* lookingAtHistory(address, watched)))
  const account = provided(watched.reading("account", yield* lookingAtAccount(address, watched)))

  const oneAtATime = yield* Effect.makeSemaphore(1)
  const look = yield* sharedFor(
    shared,
    "MediatorWatch.look",
    oneAtATime.withPermits(1)(Effect.zipRight(history, Deferred.succeed(begun, undefined)))
  )
  const interval = Effect.flatMap(closeInterval, (seconds) => Effect.sleep(`${seconds ?? ledgerSeconds} seconds`))
  yield* Effect.forkScoped(Effect.forever(Effect.all([look, account, interval], { discard: true })))

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
