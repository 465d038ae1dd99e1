import { Effect } from "effect"
import { steadyNow } from "../fibers/SteadyTime.ts"
import type { Fault } from "./Fault.ts"

/** How long a fact is used after it was requested, milliseconds. */
const longest = 1_000

/** A question whose answer is the same for every request within one ledger: the newest ledger, what ledgers cost, how far history reaches. */
export interface LedgerFact<A> {
  /** Fetches the answer from an endpoint. */
  readonly fetch: (url: URL) => Effect.Effect<A, Fault>
  /**
   * The endpoint's answer to a question of the last second; null where there is none, or where the endpoint has named a later ledger since.
   * `now`: `steadyNow`.
   */
  readonly recall: (url: URL, now: number) => A | null
}

interface CachedAnswer<A> {
  readonly value: A
  /** The ledger that it is of, at the least. */
  readonly ledger: number
  readonly askedAt: number
}

/** The newest ledger that each endpoint of one source has named, and facts that it keeps as long as that is their ledger. */
export class LedgerFacts {
  readonly #newest = new Map<string, number>()

  /** The newest ledger that an endpoint has named; 0 before its first answer. */
  newestOf({ href }: URL): number {
    return this.#newest.get(href) ?? 0
  }

  /** Notes a ledger that an endpoint named: what it said of older ones is requested again. */
  note(url: URL, ledger: number): void {
    if (ledger > this.newestOf(url)) this.#newest.set(url.href, ledger)
  }

  /**
   * A fact that is kept for each endpoint alone.
   *
   * @param ledgerOf the ledger that an answer names; left out: it counts as of the newest ledger that was known when it was requested
   */
  fact<A>(fetch: (url: URL) => Effect.Effect<A, Fault>, ledgerOf?: (answer: A) => number): LedgerFact<A> {
    const kept = new Map<string, CachedAnswer<A>>()
    return {
      fetch: (url) =>
        Effect.clockWith((clock) => {
          const [askedAt, known] = [steadyNow(clock), this.newestOf(url)]
          return Effect.tap(fetch(url), (value) =>
            Effect.sync(() => {
              const ledger = ledgerOf?.(value) ?? known
              this.note(url, ledger)
              kept.set(url.href, { value, ledger, askedAt })
            }))
        }),
      recall: (url, now) => {
        const last = kept.get(url.href)
        return last === undefined || now - last.askedAt > longest || last.ledger < this.newestOf(url) ? null : last.value
      }
    }
  }
}
