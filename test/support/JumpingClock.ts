import { Clock, Duration, Effect, Layer } from "effect"
import { idle } from "./Idle.ts"

interface Sleeper {
  /** Whole milliseconds since 1970. */
  readonly until: number
  readonly wake: () => void
}

/** The longest sleep that a test may wait for; longer sleepers do periodic work. Milliseconds. */
const longest = 30_000

/** A clock that stands still until it is moved. Unlike `TestClock` it drops interrupted sleepers, and moving it needs no wait. */
export class MovedClock implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  readonly #sleepers = new Set<Sleeper>()
  #now: number
  /** Milliseconds by which the date was set forward. */
  #set = 0

  /** Whole milliseconds since 1970. */
  constructor(start: number) {
    this.#now = Math.ceil(start)
  }

  unsafeCurrentTimeMillis(): number {
    return this.#now + this.#set
  }

  /** Sets the date forward or back, as an operator does: no time passes. */
  setDate(byMillis: number): void {
    this.#set += byMillis
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(this.#now) * 1_000_000n
  }

  readonly currentTimeMillis = Effect.sync(() => this.unsafeCurrentTimeMillis())

  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      const millis = Duration.toMillis(duration)
      if (millis <= 0) return resume(Effect.void)
      const sleeper: Sleeper = { until: Math.ceil(this.#now + millis), wake: () => resume(Effect.void) }
      this.#sleepers.add(sleeper)
      return Effect.sync(() => void this.#sleepers.delete(sleeper))
    })
  }

  /** The next time to wake; null without a sleeper within that time. */
  next(within = Number.POSITIVE_INFINITY): number | null {
    let soonest = this.#now + within
    let isAny = false
    for (const { until } of this.#sleepers) {
      if (until > soonest) continue
      soonest = until
      isAny = true
    }
    return isAny ? soonest : null
  }

  /** Moves to a time, and wakes every sleeper until then, all of one time at once. */
  wakeAt(moment: number): void {
    this.#now = Math.max(this.#now, Math.ceil(moment))
    const due = [...this.#sleepers].filter(({ until }) => until <= this.#now)
    for (const sleeper of due.toSorted((left, right) => left.until - right.until)) {
      this.#sleepers.delete(sleeper)
      sleeper.wake()
    }
  }
}

/**
 * A clock that starts at the machine's time and stands still while this process works. Once all fibers sleep, it jumps to the next wake-up.
 * For tests whose client, service and sources all live in this process: another wait, such as a server or a timer of Node's, would look
 * like rest.
 */
export const jumping: Layer.Layer<never> = Layer.scopedDiscard(
  Effect.gen(function*() {
    const clock = new MovedClock(yield* Clock.currentTimeMillis)
    const jump = async (signal: AbortSignal) => {
      while (!signal.aborted) {
        await idle()
        const next = clock.next(longest)
        if (next !== null) clock.wakeAt(next)
      }
    }
    yield* Effect.forkScoped(Effect.promise(jump))
    yield* Effect.withClockScoped(clock)
  })
)

/** Lets so many milliseconds pass on a clock that only tests move, and everything end that is due before or then. */
export const pass = (clock: MovedClock, millis: number): Effect.Effect<void> =>
  Effect.promise(async () => {
    await idle()
    clock.wakeAt(clock.unsafeCurrentTimeMillis() + millis)
    await idle()
  })

/** What work comes to, and how long it takes on that clock, in whole seconds. */
export const secondsOf = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, number], E, R> =>
  Effect.map(Effect.timed(work), ([took, told]) => [told, Math.round(Duration.toSeconds(took))])
