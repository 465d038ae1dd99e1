import { Effect, Either, Option, Ref } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import { missingIn, type Span } from "../chain/history/LedgerSpans.ts"
import { concurrency } from "../chain/RpcPolicy.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { DeadlineExceeded } from "../domain/failure/Upstream.ts"
import type { EventBudget } from "./EventBudget.ts"
import { type EventLog, withPage } from "./EventLog.ts"
import { topicsOf } from "./EventTopics.ts"

/** What is known after a scan. */
export interface EventScan {
  readonly log: EventLog
  /** The ledgers that the source remembers, without the newest few; null: it never said. */
  readonly remembered: Span | null
  readonly failure: ChainFailure | null
}

/** Ledgers that the source remembers and that were not read, the oldest first. The newest few may be missing here. */
export const unscannedOf = ({ log: { covered }, remembered }: Pick<EventScan, "log" | "remembered">): ReadonlyArray<Span> =>
  remembered === null ? [] : missingIn(remembered, covered)

/** A window that is requested, and where in it the next page begins. */
interface Window extends Span {
  readonly cursor: string | null
}

/** What one scan has done so far. Its windows are requested side by side, the newest first. */
interface Course {
  readonly pending: ReadonlyArray<Window>
  readonly log: EventLog
  readonly left: number
  /** The ledgers that the source remembers, without the newest few; null: it did not answer yet. */
  readonly remembered: Span | null
  readonly failure: ChainFailure | null
}

/** The newest first, and no more than may be requested: how many ledgers there are is the source's word. */
const windowsOf = (missing: ReadonlyArray<Span>, size: number, most: number): ReadonlyArray<Window> => {
  const windows: Array<Window> = []
  for (const { from, to } of missing.toReversed()) {
    for (let end = to; end > from && windows.length < most; end -= size) {
      windows.push({ from: Math.max(from, end - size), to: end, cursor: null })
    }
  }
  return windows
}

/** A window in two, the newer half first. */
const halves = ({ from, to }: Span): ReadonlyArray<Window> => {
  const middle = to - Math.floor((to - from) / 2)
  return [{ from: middle, to, cursor: null }, { from, to: middle, cursor: null }]
}

/** The newest ledgers may be missing: those that one endpoint has, and another does not have yet. */
const tolerable = 5

/**
 * Reads the events of one owner in the ledgers that `before` does not cover. It reads them in windows, the newest first, within the budget.
 * It never fails: what was read before a failure is kept, and the result names the failure.
 *
 * @param narrow called with the size of a window that is too large for the source
 */
export const scanEvents = (
  rpc: Pick<ContractRpc["Type"], "retention" | "searchEvents">,
  owner: AccountAddress,
  before: EventLog,
  { narrow, requests, time, window: size }: EventBudget & { readonly narrow: (size: number) => Effect.Effect<void> }
): Effect.Effect<EventScan> =>
  Effect.gen(function*() {
    const course = yield* Ref.make<Course>({ pending: [], log: before, left: requests, remembered: null, failure: null })
    const topics = topicsOf(owner)

    /** The next windows, as far as they may be requested. */
    const take = Ref.modify(course, (now): readonly [ReadonlyArray<Window>, Course] => {
      const most = now.failure === null ? Math.min(concurrency, now.left) : 0
      const pending = now.pending.toSorted((one, other) => other.to - one.to)
      const next = pending.slice(0, most)
      return [next, { ...now, pending: pending.slice(most), left: now.left - next.length }]
    })
    const putBack = (windows: ReadonlyArray<Window>) => Ref.update(course, (now) => ({ ...now, pending: [...windows, ...now.pending] }))

    /** Continues at the oldest ledger that the source still has: its retention window moves during the scan. */
    const forget = (oldest: number, { to }: Window) =>
      Ref.update(course, (now) => ({
        ...now,
        remembered: now.remembered === null ? null : { ...now.remembered, from: Math.max(now.remembered.from, oldest) },
        pending: [{ from: oldest, to, cursor: null }, ...now.pending].filter((one) => one.to > oldest)
      }))

    const ask = (window: Window) =>
      Effect.gen(function*() {
        const { cursor, from, to } = window
        const page = yield* rpc.searchEvents({ topics, place: cursor === null ? { from, to } : { cursor }, to })
        switch (page._tag) {
          case "TooMuch":
            yield* narrow(to - from)
            return yield* putBack(halves(window))
          case "Forgotten":
            return yield* forget(page.oldestLedger, window)
          case "Page":
            yield* Ref.update(course, (now) => ({ ...now, log: withPage(now.log, owner, page.events, { from, to: page.upTo }) }))
            return page.next === null ? undefined : yield* putBack([{ from: page.upTo, to, cursor: page.next }])
        }
      }).pipe(Effect.catchAll((failure) => Ref.update(course, (now) => ({ ...now, failure: now.failure ?? failure }))))

    const work: Effect.Effect<void> = Effect.flatMap(take, (windows) =>
      windows.length === 0 ? Effect.void : Effect.zipRight(Effect.forEach(windows, ask, { concurrency, discard: true }), work))

    const whole = Effect.gen(function*() {
      const { latestLedger, oldestLedger } = yield* rpc.retention
      const missing = missingIn({ from: oldestLedger, to: latestLedger + 1 }, before.covered)
      const remembered = { from: oldestLedger, to: latestLedger + 1 - tolerable }
      yield* Ref.update(course, (now) => ({ ...now, pending: windowsOf(missing, size, requests), remembered }))
      yield* work
    })

    const ended = yield* Effect.timeoutOption(Effect.either(whole), time)
    const { failure, log, remembered } = yield* Ref.get(course)
    // Without a range, or without any page of it, nothing is known of how much is missing.
    const late = remembered === null || log.covered.length === 0 ? new DeadlineExceeded() : null
    const stopped = Option.match(ended, {
      onNone: () =>
        late,
      onSome: Either.match({ onLeft: (rejected): ChainFailure | null => rejected, onRight: () => null })
    })
    return { log, remembered, failure: failure ?? stopped }
  })
