import {
  Data,
  Effect,
  type Fiber,
  FiberId,
  FiberRef,
  GlobalValue,
  HashSet,
  Logger,
  Random,
  Runtime,
  RuntimeFlags,
  type Scheduler
} from "effect"
import type { VirtualTime } from "./VirtualTime.ts"

/** The process of the work was killed. */
export class ProcessKilled extends Data.TaggedError("ProcessKilled")<{ readonly name: string }> {}

/** Effect's own set of all running fibers without a parent. A fiber leaves it when it ends. */
const started: { readonly roots: Set<unknown> } = GlobalValue.globalValue(
  Symbol.for("effect/FiberScope/Global"),
  () => ({ roots: new Set() })
)

/** Forgets all fibers of a run that is over. Those of killed processes never end, and would keep its whole network in memory. */
export const forgetFibers = (): void => started.roots.clear()

/** The options that processes share. */
export interface ProcessOptions {
  readonly time: VirtualTime
  /** The seed for the draws of its fibers. */
  readonly seed: number
  /** Receives logged errors. */
  readonly onError: (name: string, message: string) => void
}

/**
 * Fibers that can be killed together, as the system kills a process: then none of them runs, and no finalizer either. Work in another
 * process that waits for one of them fails.
 */
export class Process {
  readonly name: string
  readonly #scheduler: Scheduler.Scheduler
  readonly #runtime: Runtime.Runtime<never>
  readonly #waiting = new Set<() => void>()
  #isAlive = true

  constructor(name: string, { onError, seed, time }: ProcessOptions) {
    this.name = name
    this.#scheduler = time.scheduler(() => this.#isAlive)
    const logger = Logger.make(({ cause, logLevel, message }) => {
      if (logLevel.ordinal >= 40_000) onError(name, `${JSON.stringify(message)} ${JSON.stringify(cause)}`)
    })
    const runtime = Effect.runSync(
      Effect.runtime<never>().pipe(
        Effect.locally(FiberRef.currentLoggers, HashSet.make(logger)),
        Effect.withRandom(Random.make(seed)),
        Effect.withClock(time.clock),
        Effect.withTracerEnabled(false)
      )
    )
    // Without counts of fibers, which no test reads.
    this.#runtime = Runtime.disableRuntimeFlag(runtime, RuntimeFlags.RuntimeMetrics)
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Starts work in this process. */
  fork<A, E>(work: Effect.Effect<A, E>): Fiber.RuntimeFiber<A, E> {
    return Runtime.runFork(this.#runtime)(work, { scheduler: this.#scheduler, immediate: false })
  }

  /** Runs work in this process, and waits for it. The work continues when its caller is interrupted, unless `stops` is set. */
  run<A, E>(work: Effect.Effect<A, E>, stops = false): Effect.Effect<A, E | ProcessKilled> {
    return Effect.async((resume) => {
      if (!this.#isAlive) return resume(new ProcessKilled({ name: this.name }))
      const killed = () => resume(new ProcessKilled({ name: this.name }))
      this.#waiting.add(killed)
      const fiber = this.fork(work)
      fiber.addObserver((exit) => {
        this.#waiting.delete(killed)
        resume(exit)
      })
      return Effect.sync(() => {
        this.#waiting.delete(killed)
        if (stops) fiber.unsafeInterruptAsFork(FiberId.none)
      })
    })
  }

  /** Ends the process at once. */
  kill(): void {
    this.#isAlive = false
    for (const killed of this.#waiting) killed()
    this.#waiting.clear()
  }
}
