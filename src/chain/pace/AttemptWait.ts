import { Effect, FiberRef } from "effect"
import { fairPermits } from "../../fibers/FairPermits.ts"

/**
 * How long an attempt has waited for its endpoint, in milliseconds of a clock. Time in which its calls queue for a connection, or in which
 * their answers are there and wait to be decoded, is this process's own and does not count. An attempt that makes no call through a
 * `CallGate` waits for its endpoint all the time.
 */
export class AttemptWait {
  readonly #now: () => number
  #underWay = 1
  #since: number
  #sum = 0
  #usesGate = false

  constructor(now: () => number) {
    this.#now = now
    this.#since = now()
  }

  /** A call of it queues for a connection. */
  queued(): void {
    if (this.#usesGate) return
    this.#usesGate = true
    this.ended()
  }

  /** A call of it goes out. */
  began(): void {
    if (this.#underWay++ === 0) this.#since = this.#now()
  }

  /** A call of it has ended. */
  ended(): void {
    if (--this.#underWay === 0) this.#sum += this.#now() - this.#since
  }

  get millis(): number {
    return this.#underWay === 0 ? this.#sum : this.#sum + this.#now() - this.#since
  }
}

/** Notes when a call waits for its endpoint, and when it only queues. */
export type CallWait = Pick<AttemptWait, "queued" | "began" | "ended">

const current = FiberRef.unsafeMake<CallWait | null>(null)

/** What the attempt that runs this tells. */
export const currentWait: Effect.Effect<CallWait | null> = FiberRef.get(current)

/** One call that several attempts wait for. */
export const waitOfAll = (waits: ReadonlyArray<CallWait>): CallWait => ({
  queued: () => {
    for (const wait of waits) wait.queued()
  },
  began: () => {
    for (const wait of waits) wait.began()
  },
  ended: () => {
    for (const wait of waits) wait.ended()
  }
})

/** Has calls of this fiber tell `wait` when they wait for the endpoint, from now on. Each attempt has a fiber of its own (`TimeBudget.ts`). */
export const callsTell = (wait: CallWait | null): Effect.Effect<void> => FiberRef.set(current, wait)

/** Lets a bounded number of calls through at the same time. */
export type CallGate = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A gate for so many calls; the others queue, first come first served. */
export const callGate = (most: number): CallGate => {
  const withPermit = fairPermits(most)
  return (call) =>
    Effect.withFiberRuntime((fiber) => {
      const wait = fiber.getFiberRef(current)
      if (wait === null) return withPermit(call)
      wait.queued()
      return withPermit(Effect.suspend(() => {
        wait.began()
        return Effect.onExit(call, () => Effect.sync(() => wait.ended()))
      }))
    })
}
