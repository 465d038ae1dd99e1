import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Either, Option, Ref } from "effect"
import type { Scope } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import { missingIn, type Span } from "../../chain/LedgerSpans.ts"
import { concurrency, longestHang, maxLedgersPerCall } from "../../chain/RpcPolicy.ts"
import { sharing } from "../../chain/SharedWork.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { DeadlineExceeded } from "../../domain/failure/Upstream.ts"
import type { LedgerGap } from "../../domain/LedgerGap.ts"
import type { ReadAt } from "./QuestionLoop.ts"
import { isWithinBounds, nothing, type Scanned, withTold } from "./Scanned.ts"

/** Events by which contracts tell of others. */
export interface Announcements {
  /** Whose events. */
  readonly contracts: ReadonlyArray<ContractAddress>
  /** Exactly these, in order. */
  readonly topics: ReadonlyArray<xdr.ScVal>
  /** The first ledger of which no file tells what was announced. */
  readonly since: number
}

/** What was announced, as far as it could be read. */
export interface Announced {
  /** What the events carry, each once, in the order in which it was found. */
  readonly data: ReadonlyArray<xdr.ScVal>
  /** From the first to the last ledger whose events were never read; null when there is none. */
  readonly gap: LedgerGap | null
  /** Why the gap is there, where asking again may close it; null where no source remembers those ledgers. */
  readonly failure: ChainFailure | null
}

/** How long a list waits for its announcements; the scan goes on after that, for the next list. */
export const patience = longestHang

/** The newest ledgers may be missing from an answer: those an endpoint does not have yet. */
const tolerable = 12

/** Where what was scanned outlives the process. It never fails: what cannot be kept is scanned again, as far as sources remember. */
export interface ScanStore {
  readonly load: Effect.Effect<Scanned>
  readonly save: (scanned: Scanned) => Effect.Effect<void>
}

/** Nothing outlives the process. */
export const keptInMemory: ScanStore = { load: Effect.succeed(nothing), save: () => Effect.void }

const windowsOf = ({ from, to }: Span): ReadonlyArray<Span> =>
  to <= from ? [] : [{ from, to: Math.min(to, from + maxLedgersPerCall) }, ...windowsOf({ from: from + maxLedgersPerCall, to })]

const gapOf = (missing: ReadonlyArray<Span>): LedgerGap | null => {
  const [first, last] = [missing[0], missing.at(-1)]
  return first === undefined || last === undefined ? null : { fromLedger: first.from, toLedger: last.to - 1 }
}

/**
 * Scans events once: what was found, and which ledgers were looked through, is kept, so that asking again scans only what came since, and
 * what failed. Never fails, and waits no longer than `patience`: what is missing is a gap.
 */
export const scanner = (
  rpc: ContractRpc["Type"],
  { contracts, since, topics }: Announcements,
  store: ScanStore = keptInMemory
): Effect.Effect<(at: ReadAt) => Effect.Effect<Announced>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const share = yield* sharing
    const kept = yield* store.load
    const memory = yield* Ref.make(isWithinBounds(kept) ? kept : nothing)
    /** Whether more was told than is kept: asking again closes no gap then. */
    const full = yield* Ref.make(false)
    /** Ledgers before it are remembered by nobody; null before anybody was asked. */
    const oldestSeen = yield* Ref.make<number | null>(null)
    const one = yield* Effect.makeSemaphore(1)

    /** Asks until the window is done, or no more of it can be had. */
    const scan = (window: Span) =>
      Effect.gen(function*() {
        let from = window.from
        while (from < window.to) {
          const answer = yield* rpc.events({ contracts, topics, from, to: window.to })
          const isFull = yield* Ref.modify(memory, (before) => {
            const { isFull, scanned } = withTold(before, answer)
            return [isFull, scanned] as const
          })
          if (isFull && !(yield* Ref.getAndSet(full, true))) yield* Effect.logWarning("more was announced than is kept: the rest is a gap")
          if (answer.to <= from || answer.to > answer.latestLedger) return
          from = answer.to
        }
      })

    /** The first ledger worth asking for. Soon after a scan nothing more is forgotten, and one that began before can go on without knowing. */
    const oldestFor = (missing: ReadonlyArray<Span>, at: ReadAt) =>
      Effect.gen(function*() {
        const seen = yield* Ref.get(oldestSeen)
        const asked = Effect.map(rpc.retention, ({ oldestLedger }) => oldestLedger)
        if (seen === null) return yield* asked
        const isRecent = missing.every(({ from, to }) => to <= seen || at.sequence - from < maxLedgersPerCall)
        return isRecent ? seen : Math.max(seen, yield* Effect.orElseSucceed(asked, () => seen))
      })

    const missingAt = (at: ReadAt) => Effect.map(Ref.get(memory), ({ covered }) => missingIn({ from: since, to: at.sequence + 1 }, covered))

    const catchUp = (at: ReadAt) =>
      Effect.gen(function*() {
        // What sources still remember is scanned once in the life of every process: one lying answer is not believed for ever.
        const isFirst = (yield* Ref.get(oldestSeen)) === null
        const missing = isFirst ? missingIn({ from: since, to: at.sequence + 1 }, []) : yield* missingAt(at)
        if (missing.length === 0) return
        const oldest = yield* oldestFor(missing, at)
        yield* Ref.set(oldestSeen, oldest)
        const open = missing.map(({ from, to }) => ({ from: Math.max(from, oldest), to }))
        // The newest first, and none after one that failed: an endpoint that knows no events is not asked for them a dozen times.
        yield* Effect.forEach(open.flatMap(windowsOf).toReversed(), scan, { concurrency, discard: true })
      }).pipe(Effect.ensuring(Effect.flatMap(Ref.get(memory), store.save)))

    return (at) =>
      Effect.gen(function*() {
        const scan = yield* share("Announcements.scan", Effect.either(one.withPermits(1)(catchUp(at))))
        const done = yield* Effect.timeoutOption(scan.outcome, patience)
        const failed = Option.match(done, {
          onNone: () => new DeadlineExceeded(),
          onSome: (outcome) => (Either.isLeft(outcome) ? outcome.left : null)
        })
        const missing = (yield* missingAt(at)).filter(({ from }) => failed !== null || from <= at.sequence - tolerable)
        const oldest = yield* Ref.get(oldestSeen)
        // Ledgers that a source remembers and did not tell of: it is behind, or busy.
        const isOwed = oldest === null || missing.some(({ to }) => to > oldest)
        return {
          data: [...(yield* Ref.get(memory)).data.values()],
          gap: gapOf(missing),
          failure: missing.length === 0 || !isOwed ? null : failed ?? ((yield* Ref.get(full)) ? null : new DeadlineExceeded())
        }
      })
  })
