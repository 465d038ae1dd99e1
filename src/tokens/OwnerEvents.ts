import { Context, Duration, Effect, Layer, Ref } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { including, type Span, without } from "../chain/history/LedgerSpans.ts"
import type { RpcOrigin } from "../chain/RpcOrigin.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { sharingByKey } from "../fibers/SharedWork.ts"
import { steadyMillis } from "../fibers/SteadyTime.ts"
import { ttlCache } from "../fibers/TtlCache.ts"
import type { ApprovalEvent } from "./Approval.ts"
import { eventBudget } from "./EventBudget.ts"
import { byOldest, contradictedIn, emptyLog, type EventLog, mergedLogs, sizeOf, valuesOf, withoutSpans } from "./EventLog.ts"
import { type EventScan, scanEvents, unscannedOf } from "./EventScan.ts"

/** What the scans of several origins told together. */
interface MergedScan {
  readonly log: EventLog
  /** Ledgers that some origin remembers and none was read for. */
  readonly unscanned: ReadonlyArray<Span>
  readonly failure: ChainFailure | null
  /** Ledgers that were requested from one origin only. */
  readonly alone: ReadonlyArray<Span>
  readonly contradicted: EventsReport["contradicted"]
}

/** What is in some spans and not in others. */
const beyond = (spans: ReadonlyArray<Span>, others: ReadonlyArray<Span>): ReadonlyArray<Span> => others.reduce(without, spans)

/** Ledgers at the end that one origin has and another does not have yet. */
const newest = 5

/** The older part of what was requested from one origin only: the last ledgers may be those that the other has not reached. */
const settledIn = (spans: ReadonlyArray<Span>, end: number): ReadonlyArray<Span> => {
  const last: Span = { from: end - newest, to: Number.MAX_SAFE_INTEGER }
  return without(spans, last)
}

/** Ledgers that one of the scans covers and no other does. */
const aloneIn = (scans: ReadonlyArray<EventScan>): ReadonlyArray<Span> => {
  const end = Math.max(0, ...scans.map(({ log: { covered } }) => covered.at(-1)?.to ?? 0))
  return scans
    .flatMap(({ log: { covered } }, at) =>
      beyond(
        settledIn(covered, scans.length === 1 ? Number.MAX_SAFE_INTEGER : end),
        scans.flatMap((other, place) => place === at ? [] : other.log.covered)
      )
    )
    .reduce<ReadonlyArray<Span>>(including, [])
}

/** The most ledgers at the old end that are no gap: about a minute, after which their origin forgets them too. */
const mostAtOldEnd = 10

/** Whether a gap lies below all that was read, is short, and ends where an origin that was read to its end begins to remember. */
const isSoonForgotten = ({ from, to }: Span, scans: ReadonlyArray<EventScan>): boolean => {
  const begins = scans.map(({ log: { covered } }) => covered[0]?.from ?? Number.MAX_SAFE_INTEGER)
  return to - from <= mostAtOldEnd && Math.min(...begins) === to &&
    scans.some((one, at) => begins[at] === to && unscannedOf(one).length === 0)
}

/** Ledgers that some origin remembers and none was read for. Origins of the same retention forget a ledger seconds apart. */
const unscannedIn = (scans: ReadonlyArray<EventScan>): ReadonlyArray<Span> => {
  const left = scans.flatMap(unscannedOf).reduce<ReadonlyArray<Span>>(including, [])
  return beyond(left, scans.flatMap(({ log }) => log.covered)).filter((gap) => !isSoonForgotten(gap, scans))
}

/** Puts scans together: one that failed is no failure of all as long as another did not fail, but what it did not read is missing. */
const mergedScan = (scans: ReadonlyArray<EventScan>): MergedScan => {
  const whole = scans.filter(({ failure }) => failure === null)
  const counted = whole.length > 0 ? whole : scans
  return {
    log: mergedLogs(scans.map(({ log }) => log), counted.map(({ log }) => log)),
    unscanned: unscannedIn(scans),
    failure: counted[0]?.failure ?? null,
    alone: aloneIn(scans),
    contradicted: contradictedIn(scans.map(({ log }) => log))
  }
}

export type { Approval, ApprovalEvent as ToldApproval } from "./Approval.ts"

/** Ledgers, both ends included. */
interface LedgerRange {
  readonly fromLedger: number
  readonly toLedger: number
}

const rangeOf = (first: Span, last: Span): LedgerRange => ({ fromLedger: first.from, toLedger: last.to - 1 })

/** What events of token contracts report about an owner, as far as they were scanned. Anyone can make a contract emit such events. */
export interface EventsReport {
  /** Token contracts with events for transfers to or from the owner, or for mints to it. The one with the oldest event comes first. */
  readonly tokens: ReadonlyArray<ContractAddress>
  /** The newest first. */
  readonly approvals: ReadonlyArray<ApprovalEvent>
  /** Base units that came to the owner and went from it, by token and ledger, as far as they are kept. */
  readonly moves: EventLog["moves"]
  /** Ledgers that were scanned; null where there was no time to begin. */
  readonly scanned: LedgerRange | null
  /** Whether everything that the sources still know was scanned. */
  readonly complete: boolean
  /** From the first to the last ledger that a source still knows and that was not scanned; null: there is none, or all sources failed. */
  readonly unscanned: LedgerRange | null
  /** How much did not fit the bounds. */
  readonly dropped: { readonly tokens: number; readonly approvals: number }
  /** Why the scan ended early, where a source failed. */
  readonly failure: ChainFailure | null
  /** Ledgers for which only one origin was queried: that nothing else happened in them rests on its word alone. */
  readonly alone: ReadonlyArray<Span>
  /** Tokens whose oldest event one origin reported and another one, which read that ledger, left out. */
  readonly contradicted: ReadonlySet<ContractAddress>
}

/** How long what was scanned of an owner is remembered, of how many owners, and how much of it all. */
const remembered = { time: Duration.minutes(10), owners: 1_000, entries: 200_000 }

interface Memory {
  /** By the name of the origin that was scanned. */
  readonly scans: ReadonlyMap<string, EventScan>
  /** Milliseconds of the clock, when it was scanned first. */
  readonly since: number
}

/** An origin whose events are scanned. */
type Source = Pick<RpcOrigin, "name" | "retention" | "searchEvents">

const weightOf = ({ scans }: Memory): number => [...scans.values()].reduce((sum, { log }) => sum + sizeOf(log), 0)

const reportOf = ({ alone, contradicted, failure, log: { approvals, covered, moves, tokens }, unscanned }: MergedScan): EventsReport => {
  const newest = covered.at(-1)
  const [oldestLeft, newestLeft] = [unscanned[0], unscanned.at(-1)]
  return {
    tokens: byOldest(tokens),
    approvals: valuesOf(approvals),
    moves,
    scanned: newest === undefined ? null : rangeOf(newest, newest),
    complete: failure === null && unscanned.length === 0,
    unscanned: failure !== null || oldestLeft === undefined || newestLeft === undefined ? null : rangeOf(oldestLeft, newestLeft),
    dropped: { tokens: tokens.dropped, approvals: approvals.dropped },
    failure,
    alone,
    contradicted
  }
}

/** Scans transfers, mints and approvals of owners (`getEvents`), and remembers what was scanned. */
export class OwnerEvents extends Context.Tag("closeout/tokens/OwnerEvents")<OwnerEvents, {
  /** In bounded windows, the newest ledgers first, until all that is retained was scanned or the budget is used. */
  readonly of: (owner: AccountAddress) => Effect.Effect<EventsReport>
  /** The same, but ledgers for which only one origin was queried are read again. */
  readonly again: (owner: AccountAddress) => Effect.Effect<EventsReport>
}>() {
  /**
   * Over two origins of the contract RPC in parallel, each within `eventBudget`; a third is queried where one of them fails. The scan of an
   * owner is cached for ten minutes, so that later scans read only newer and missing ledgers. Requests for the same owner during a scan
   * wait for that scan (single flight). Nothing else about accounts is cached.
   */
  static readonly layer = Layer.scoped(
    OwnerEvents,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const budget = yield* eventBudget
      const share = yield* sharingByKey<AccountAddress, EventsReport, never>()
      const memories = ttlCache<AccountAddress, Memory>({
        timeToLive: remembered.time,
        most: remembered.owners,
        mostWeight: remembered.entries,
        weightOf
      })
      const window = yield* Ref.make(budget.window)

      // A single origin is read like everything else.
      const sources: ReadonlyArray<Source> = rpc.origins.length > 1 ? rpc.origins : [{ name: "", ...rpc }]

      const scanOf = (owner: AccountAddress, before: Memory | null) => (source: Source): Effect.Effect<readonly [string, EventScan]> =>
        Effect.gen(function*() {
          // What was too large once is tried again at twice the size: what a source takes depends on how busy it is.
          const size = yield* Ref.updateAndGet(window, (last) => Math.min(budget.window, last * 2))
          const last = before?.scans.get(source.name) ?? null
          const scanned = yield* scanEvents(source, owner, last?.log ?? emptyLog, {
            ...budget,
            window: size,
            narrow: (tooLarge) => Ref.update(window, (size) => Math.min(size, Math.ceil(tooLarge / 2)))
          })
          // A source that is silent now still has what it had.
          return [source.name, { ...scanned, remembered: scanned.remembered ?? last?.remembered ?? null }] as const
        })

      /** Two origins at once, and others one by one as long as fewer than two answered. */
      const scanTwo = (owner: AccountAddress, before: Memory | null) =>
        Effect.gen(function*() {
          const scanned = yield* Effect.forEach(sources.slice(0, 2), scanOf(owner, before), { concurrency: 2 })
          for (const next of sources.slice(2)) {
            if (scanned.filter(([, { failure }]) => failure === null).length >= 2) break
            scanned.push(yield* scanOf(owner, before)(next))
          }
          return scanned
        })

      const scan = (owner: AccountAddress): Effect.Effect<EventsReport> =>
        Effect.gen(function*() {
          const now = yield* steadyMillis
          const before = memories.get(owner, now) ?? null
          const scanned = yield* scanTwo(owner, before)
          const scans = new Map([...(before?.scans ?? []), ...scanned])
          const since = before?.since ?? now
          memories.set(owner, { scans, since }, now, since)
          return reportOf(mergedScan(scanned.map(([, one]) => one)))
        })

      const of = (owner: AccountAddress) => Effect.flatMap(share("OwnerEvents.scan", owner, scan(owner)), ({ outcome }) => outcome)

      /** Marks ledgers as not read; what their events reported is kept. */
      const forget = (owner: AccountAddress, spans: ReadonlyArray<Span>) =>
        Effect.map(steadyMillis, (now) => {
          const known = memories.get(owner, now)
          if (known === undefined) return
          const scans = new Map([...known.scans].map(([name, one]) => [name, { ...one, log: withoutSpans(one.log, spans) }] as const))
          memories.set(owner, { ...known, scans }, now, known.since)
        })

      return OwnerEvents.of({
        of,
        again: (owner) => Effect.flatMap(of(owner), ({ alone }) => Effect.zipRight(forget(owner, alone), of(owner)))
      })
    })
  )
}
