import { Effect } from "effect"
import { ledgerSeconds } from "../domain/Ledger.ts"

/** A ledger, and when it closed (Unix seconds). */
export interface ClosedLedger {
  readonly sequence: number
  readonly closeTime: bigint
}

/** Seconds from one ledger to the next, kept between 1 and 6; null while it was not measured. */
export type CloseInterval = number | null

/** Over so many ledgers it is measured. */
const measuredOver = 20

/** So many ledgers are remembered, since those that are read need not follow one another. */
const remembered = 64

const [shortest, longest] = [1, 6] as const

/**
 * Measures how fast a network closes ledgers, from answers that name a ledger and its time. The newest one counts with the last one before that is at
 * least 20 ledgers older; so one that lies spoils the measure for 20 ledgers at most, and never beyond the bounds.
 */
export class CloseMeter {
  private ledgers: ReadonlyArray<ClosedLedger> = []
  private measured: CloseInterval = null

  get interval(): CloseInterval {
    return this.measured
  }

  /** When a ledger closed; null where no answer of late named it. */
  closeTimeOf(sequence: number): bigint | null {
    return this.ledgers.find((one) => one.sequence === sequence)?.closeTime ?? null
  }

  note({ closeTime, sequence }: ClosedLedger): void {
    if (this.ledgers.some((one) => one.sequence === sequence)) return
    const before = this.ledgers.findLast((one) => one.sequence <= sequence - measuredOver)
    if (before !== undefined) {
      const seconds = Number(closeTime - before.closeTime) / (sequence - before.sequence)
      this.measured = Math.min(longest, Math.max(shortest, seconds))
    }
    this.ledgers = [...this.ledgers, { sequence, closeTime }].slice(-remembered)
  }
}

/** While it was not measured ledgers are taken to close as fast as they may: a bound is then too late rather than too early. */
const secondsOf = (interval: CloseInterval): number => interval ?? shortest

/** Sleeps for one ledger, where something is done once a ledger. */
export const sleepOneLedger = (interval: Effect.Effect<CloseInterval>): Effect.Effect<void> =>
  Effect.flatMap(interval, (seconds) => Effect.sleep(`${seconds ?? ledgerSeconds} seconds`))

/** So many ledgers close within some seconds at most, half as much again for ledgers that hurry. */
export const ledgersWithin = (seconds: number, interval: CloseInterval): number => Math.ceil((1.5 * seconds) / secondsOf(interval))

/** When the ledger after one that closed at `closeTime` is to be expected, Unix seconds. */
export const nextClose = (closeTime: bigint, interval: CloseInterval): bigint => closeTime + BigInt(Math.floor(secondsOf(interval)))

/** Milliseconds between two questions about a ledger that is due: four times a ledger, and once a second at the least. */
const [shortestPause, longestPause] = [250, 1_000] as const

const usualPause = (interval: CloseInterval): number =>
  interval === null ? longestPause : Math.min(longestPause, Math.max(shortestPause, interval * 250))

/**
 * Milliseconds until the ledger after one that closed at `closeTime` (Unix seconds) is there; 0 where it is due, or nothing tells when. Headers have
 * whole seconds, and a source has a ledger a little later: one pause is added. `now`: milliseconds of the clock.
 */
export const untilNext = (closeTime: bigint | null, interval: CloseInterval, now: number): number => {
  if (closeTime === null || interval === null) return 0
  const due = Number(closeTime) * 1_000 + interval * 1_000 - now
  // Two clocks need not agree: what cannot be is passed over.
  return due > 0 && due <= interval * 1_000 ? due + usualPause(interval) : 0
}

/** The same before that ledger is queried again. */
export const pauseForNext = (closeTime: bigint | null, interval: CloseInterval, now: number): number =>
  Math.max(usualPause(interval), untilNext(closeTime, interval, now))

/** A source that is no further behind does not lag: five ledgers or 25 seconds, whichever is more. */
export const tolerable = { ledgers: 5, seconds: 5 * ledgerSeconds } as const

/** The same in ledgers; five while the interval was not measured, so that what is not known loosens no gate. */
export const tolerableLag = (interval: CloseInterval): number =>
  interval === null ? tolerable.ledgers : Math.max(tolerable.ledgers, Math.ceil(tolerable.seconds / interval))
