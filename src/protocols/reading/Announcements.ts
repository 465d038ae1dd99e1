import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Either, Option, Ref, type Scope } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { EventsAnswer } from "../../chain/contract-rpc/EventsAnswer.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import { including, missingIn, type Span } from "../../chain/history/LedgerSpans.ts"
import type { RpcOrigin } from "../../chain/RpcOrigin.ts"
import { concurrency, longestHang, maxLedgersPerCall } from "../../chain/RpcPolicy.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { DeadlineExceeded } from "../../domain/failure/Upstream.ts"
import type { LedgerGap } from "../../domain/LedgerGap.ts"
import { sharing } from "../../fibers/SharedWork.ts"
import type { ReadAt } from "./QuestionLoop.ts"
import { emptyScan, isWithinBounds, mostSpans, type ScanRecord, withEvents } from "./ScanRecord.ts"

/** Events by which contracts announce others. */
export interface Announcements {
  /** Whose events. */
  readonly contracts: ReadonlyArray<ContractAddress>
  /** Exactly these, in order. */
  readonly topics: ReadonlyArray<xdr.ScVal>
  /** The first ledger of which no file tells what was announced. */
  readonly since: number
}

/** What was announced, as far as it could be read. */
export interface AnnouncementsRead {
  /** What the events carry, each once, in the order in which it was found. */
  readonly data: ReadonlyArray<xdr.ScVal>
  /** From the first to the last ledger whose events were never read; null when there is none. */
  readonly gap: LedgerGap | null
  /** Why the gap is there, where asking again may close it; null where no source remembers those ledgers. */
  readonly failure: ChainFailure | null
}

/** How long a list waits for its announcements; the scan continues after that, for the next list. */
export const patience = longestHang

/** The newest ledgers may be missing from an answer: those an endpoint does not have yet. */
const tolerable = 12

/** Where what was scanned outlives the process. It never fails: what cannot be kept is scanned again, as far as sources remember. */
export interface ScanStore {
  readonly load: Effect.Effect<ScanRecord>
  readonly save: (scanned: ScanRecord) => Effect.Effect<void>
}

/** Nothing outlives the process. */
export const keptInMemory: ScanStore = { load: Effect.succeed(emptyScan), save: () => Effect.void }

const windowsOf = ({ from, to }: Span): ReadonlyArray<Span> =>
  to <= from ? [] : [{ from, to: Math.min(to, from + maxLedgersPerCall) }, ...windowsOf({ from: from + maxLedgersPerCall, to })]

const gapOf = (missing: ReadonlyArray<Span>): LedgerGap | null => {
  const [first, last] = [missing[0], missing.at(-1)]
  return first === undefined || last === undefined ? null : { fromLedger: first.from, toLedger: last.to - 1 }
}

/** A source of events: an origin alone, or all endpoints as one. */
type Teller = Pick<RpcOrigin, "events" | "retention">

/** What one of them told so far. */
interface Course {
  readonly teller: Teller
  /** Ledgers whose events it returned since this process began, the oldest first. */
  told: ReadonlyArray<Span>
  /** Ledgers before it are no longer stored there; null before the first query. */
  oldest: number | null
}

/** Ledgers that are in both. */
const common = (some: ReadonlyArray<Span>, others: ReadonlyArray<Span>): ReadonlyArray<Span> =>
  some.flatMap((span) => missingIn(span, missingIn(span, others)))

/** One scan that continues for the life of the process. */
interface Scan {
  readonly wanted: Announcements
  readonly courses: ReadonlyArray<Course>
  readonly memory: Ref.Ref<ScanRecord>
  /** Whether more was announced than is kept. Another query then closes no gap. */
  readonly full: Ref.Ref<boolean>
}

/** Records an answer. Where there are several sources, a ledger is kept as read only once two returned its events. */
const note = ({ courses, full, memory }: Scan, course: Course, answer: EventsAnswer) =>
  Effect.gen(function*() {
    const others = courses.filter((other) => other !== course).flatMap(({ told }) => told)
    const span: Span = { from: answer.from, to: answer.to }
    const isFull = yield* Ref.modify(memory, (before) => {
      const { isFull, scanned } = withEvents(before, answer, courses.length === 1 ? [span] : common([span], others))
      return [isFull, scanned] as const
    })
    if (!isFull) course.told = including(course.told, span).slice(-mostSpans)
    else if (!(yield* Ref.getAndSet(full, true))) {
      yield* Effect.logWarning("more contracts were announced than are stored: the rest is a gap")
    }
  })

/** Asks until the window is done, or no more of it can be had. */
const scanWindow = (scan: Scan, course: Course) => (window: Span) =>
  Effect.gen(function*() {
    const { contracts, topics } = scan.wanted
    let from = window.from
    while (from < window.to) {
      const answer = yield* course.teller.events({ contracts, topics, from, to: window.to })
      yield* note(scan, course, answer)
      if (answer.to <= from || answer.to > answer.latestLedger) return
      from = answer.to
    }
  })

/** The first ledger worth asking for. Soon after a scan nothing more is forgotten, and one that began before can continue without knowing. */
const oldestFor = ({ oldest: seen, teller }: Course, missing: ReadonlyArray<Span>, at: ReadAt) =>
  Effect.gen(function*() {
    const asked = Effect.map(teller.retention, ({ oldestLedger }) => oldestLedger)
    if (seen === null) return yield* asked
    const isRecent = missing.every(({ from, to }) => to <= seen || at.sequence - from < maxLedgersPerCall)
    return isRecent ? seen : Math.max(seen, yield* Effect.orElseSucceed(asked, () => seen))
  })

/** Scans once per process everything that sources still have, also what was stored: a lying answer is then not believed beyond a restart. */
const catchUpOne = (scan: Scan, at: ReadAt) => (course: Course) =>
  Effect.either(Effect.gen(function*() {
    const missing = missingIn({ from: scan.wanted.since, to: at.sequence + 1 }, course.told)
    if (missing.length === 0) return
    const oldest = yield* oldestFor(course, missing, at)
    course.oldest = oldest
    const open = missing.map(({ from, to }) => ({ from: Math.max(from, oldest), to }))
    // The newest first, and none after one that failed: an endpoint that knows no events is not asked for them a dozen times.
    yield* Effect.forEach(open.flatMap(windowsOf).toReversed(), scanWindow(scan, course), { concurrency, discard: true })
  }))

/** Two at once, and others one by one as long as fewer than two answered. Left: none did. */
const catchUp = (scan: Scan, at: ReadAt) =>
  Effect.gen(function*() {
    const ended = yield* Effect.forEach(scan.courses.slice(0, 2), catchUpOne(scan, at), { concurrency: 2 })
    for (const next of scan.courses.slice(2)) {
      if (ended.filter(Either.isRight).length >= 2) break
      ended.push(yield* catchUpOne(scan, at)(next))
    }
    return ended.find(Either.isRight) ?? ended[0] ?? Either.void
  })

/** What is known once a scan ended, or failed. */
const announced = (
  { courses, full, memory, wanted: { since } }: Scan,
  at: ReadAt,
  failed: ChainFailure | null
): Effect.Effect<AnnouncementsRead> =>
  Effect.gen(function*() {
    const { covered, data } = yield* Ref.get(memory)
    const unread = missingIn({ from: since, to: at.sequence + 1 }, [...covered, ...courses.flatMap(({ told }) => told)])
    const missing = unread.filter(({ from }) => failed !== null || from <= at.sequence - tolerable)
    const seen = courses.flatMap(({ oldest }) => oldest ?? [])
    // Ledgers that a source remembers and did not return: it is behind, or busy.
    const isOwed = seen.length === 0 || missing.some(({ to }) => to > Math.min(...seen))
    return {
      data: [...data.values()],
      gap: gapOf(missing),
      failure: missing.length === 0 || !isOwed ? null : failed ?? ((yield* Ref.get(full)) ? null : new DeadlineExceeded())
    }
  })

/**
 * Scans events once, at two origins where there are two. Events and scanned ledgers are kept, so that the next call scans only new ledgers
 * and those that failed. Events from one origin alone count too; their ledgers are queried at another until that one answers. Never fails,
 * and waits no longer than `patience`: what is missing is a gap.
 */
export const scanner = (
  rpc: Pick<ContractRpc["Type"], "events" | "origins" | "retention">,
  wanted: Announcements,
  store: ScanStore = keptInMemory
): Effect.Effect<(at: ReadAt) => Effect.Effect<AnnouncementsRead>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const share = yield* sharing
    const kept = yield* store.load
    const scan: Scan = {
      wanted,
      // A single origin is read like everything else.
      courses: (rpc.origins.length > 1 ? rpc.origins : [rpc]).map((teller): Course => ({ teller, told: [], oldest: null })),
      memory: yield* Ref.make(isWithinBounds(kept) ? kept : emptyScan),
      full: yield* Ref.make(false)
    }
    const save = Effect.flatMap(Ref.get(scan.memory), store.save)
    const one = yield* Effect.makeSemaphore(1)
    return (at) =>
      Effect.gen(function*() {
        const work = yield* share("Announcements.scan", one.withPermits(1)(Effect.ensuring(catchUp(scan, at), save)))
        const done = yield* Effect.timeoutOption(work.outcome, patience)
        const failed = Option.match(done, {
          onNone: () => new DeadlineExceeded(),
          onSome: (outcome) => (Either.isLeft(outcome) ? outcome.left : null)
        })
        return yield* announced(scan, at, failed)
      })
  })
