import type { xdr } from "@stellar/stellar-sdk"
import { Duration, Effect, Ref } from "effect"
import type { Scope } from "effect"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import { concurrency, maxLedgersPerCall } from "../chain/RpcPolicy.ts"
import { sharing } from "../chain/SharedWork.ts"
import type { ContractAddress } from "../domain/Address.ts"
import type { ReadAt } from "./Asking.ts"

/** Events by which contracts tell of others. */
export interface Announcements {
  /** Whose events. */
  readonly contracts: ReadonlyArray<ContractAddress>
  /** Exactly these, in order. */
  readonly topics: ReadonlyArray<xdr.ScVal>
}

/** What was announced, as far as the sources remember. */
export interface Announced {
  /** What the events carry, each once, in the order in which it was found. */
  readonly data: ReadonlyArray<xdr.ScVal>
  /** Why something may be missing that the sources remember; null when nothing is. */
  readonly doubt: string | null
}

/** How long a list waits for its announcements; the scan goes on after that, for the next list. */
export const patience = Duration.seconds(5)

/** Ledgers at either end of a range that may be missing: those that are being forgotten, and those an endpoint does not have yet. */
const tolerable = 12

/** Ledgers from one on, up to another which is not in it. */
interface Span {
  readonly from: number
  readonly to: number
}

interface Memory {
  readonly data: ReadonlyMap<string, xdr.ScVal>
  /** The ledger after the newest that was ever to be scanned; null before the first scan. */
  readonly next: number | null
  /** What was to be scanned and was not. */
  readonly open: ReadonlyArray<Span>
}

const windowsOf = ({ from, to }: Span): ReadonlyArray<Span> =>
  to <= from ? [] : [{ from, to: Math.min(to, from + maxLedgersPerCall) }, ...windowsOf({ from: from + maxLedgersPerCall, to })]

const without = (spans: ReadonlyArray<Span>, gone: Span): ReadonlyArray<Span> =>
  spans.flatMap(({ from, to }) => [{ from, to: Math.min(to, gone.from) }, { from: Math.max(from, gone.to), to }].filter((rest) => rest.from < rest.to))

const doubtOf = ({ next, open }: Memory): string | null => {
  const missing = open.reduce((sum, { from, to }) => sum + to - from, 0)
  return next !== null && missing <= tolerable ? null : "recent events of its contracts could not all be read"
}

/**
 * Scans events once: what was found, and where the scan ended, is remembered, so that asking again scans only what came since, and
 * what failed. Never fails, and waits no longer than `patience`: what is missing is a doubt.
 */
export const scanner = (
  rpc: ContractRpc["Type"],
  { contracts, topics }: Announcements
): Effect.Effect<(at: ReadAt) => Effect.Effect<Announced>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const share = yield* sharing
    const memory = yield* Ref.make<Memory>({ data: new Map(), next: null, open: [] })
    const one = yield* Effect.makeSemaphore(1)

    /** Asks until the window is done, or no more of it can be had. */
    const scan = (window: Span) =>
      Effect.gen(function*() {
        let from = window.from
        while (from < window.to) {
          const answer = yield* rpc.events({ contracts, topics, from, to: window.to })
          yield* Ref.update(memory, ({ data, next, open }): Memory => ({
            data: new Map([...data, ...answer.events.map((event) => [event.data.toXdr("base64"), event.data] as const)]),
            next,
            open: without(open, answer)
          }))
          if (answer.to <= from || answer.to > answer.latestLedger) return
          from = answer.to
        }
      })

    /** The first ledger worth asking for. Where a scan began before, it can go on without knowing; soon after it, nothing is forgotten. */
    const oldestFor = ({ next, open }: Memory, at: ReadAt) => {
      const oldest = Effect.map(rpc.retention, ({ oldestLedger }) => oldestLedger)
      if (next === null) return oldest
      return open.length === 0 && at.sequence - next < maxLedgersPerCall ? Effect.succeed(next) : Effect.orElseSucceed(oldest, () => 0)
    }

    const catchUp = (at: ReadAt) =>
      Effect.gen(function*() {
        const known = yield* Ref.get(memory)
        const oldest = yield* oldestFor(known, at)
        const start = Math.max(known.next ?? 0, oldest)
        const open = [...known.open.map(({ from, to }) => ({ from: Math.max(from, oldest), to })), { from: start, to: at.sequence + 1 }].filter(({ from, to }) => from < to)
        yield* Ref.set(memory, { data: known.data, next: Math.max(start, at.sequence + 1), open })
        // The newest first, and none after one that failed: an endpoint that knows no events is not asked for them a dozen times.
        yield* Effect.forEach(open.flatMap(windowsOf).toReversed(), scan, { concurrency, discard: true })
      })

    return (at) =>
      Effect.gen(function*() {
        const scan = yield* share("Announcements.scan", Effect.ignore(one.withPermits(1)(catchUp(at))))
        yield* Effect.timeoutOption(scan.outcome, patience)
        const found = yield* Ref.get(memory)
        return { data: [...found.data.values()], doubt: doubtOf(found) }
      })
  })
