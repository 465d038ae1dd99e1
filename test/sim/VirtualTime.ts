import { Effect, type Scheduler } from "effect"
import { MovedClock } from "../support/JumpingClock.ts"

/** Turns of the event loop without any task before the clock moves: promises of bodies take one. */
const quietTurns = 2

/** The start of virtual time: a whole second, so that windows of a second match those of real time. */
export const beginning = 1_900_000_000_000

/** The tasks of one process that are ready, in their order: Effect relies on it. Those of a dead process are dropped. */
interface Ready {
  readonly tasks: Array<Scheduler.Task>
  readonly isAlive: () => boolean
}

/** Settings of virtual time. */
export interface TimeOptions {
  /** Index of the next of this many processes with ready tasks; the first where absent. */
  readonly pick?: (count: number) => number
  /** Called when no task is left, before the clock moves. */
  readonly atRest?: () => void
  /** Called when no task is left and no fiber sleeps. */
  readonly atEnd?: () => void
}

/**
 * A clock, and the order in which processes run their ready tasks. Computing takes no time; once no task is ready, the clock jumps to the next sleeper. The work must
 * not wait for a socket or a file, because the clock would not wait for them.
 */
export class VirtualTime {
  readonly clock = new MovedClock(beginning)
  readonly #ready: Array<Ready> = []
  readonly #options: Required<TimeOptions>
  #quiet = 0
  #isOver = false

  constructor({ atEnd = () => {}, atRest = () => {}, pick = () => 0 }: TimeOptions = {}) {
    this.#options = { atEnd, atRest, pick }
  }

  /** The scheduler of one process. */
  scheduler(isAlive: () => boolean = () => true): Scheduler.Scheduler {
    const own: Ready = { tasks: [], isAlive }
    return {
      shouldYield: (fiber) => (fiber.currentOpCount > 2048 ? 0 : false),
      scheduleTask: (task) => {
        if (own.tasks.push(task) === 1) this.#ready.push(own)
      }
    }
  }

  /** Starts the run; the returned function ends it. */
  start(): () => void {
    const turn = () => {
      if (this.#isOver) return
      if (this.#runReady() || ++this.#quiet < quietTurns) return void setImmediate(turn)
      this.#quiet = 0
      this.#moveOn()
      setImmediate(turn)
    }
    setImmediate(turn)
    return () => {
      this.#isOver = true
    }
  }

  /** Runs the ready tasks; true if there were any. */
  #runReady(): boolean {
    if (this.#ready.length === 0) return false
    this.#quiet = 0
    while (this.#ready.length > 0 && !this.#isOver) {
      const at = this.#options.pick(this.#ready.length)
      const next = this.#ready[at]
      const task = next?.tasks.shift()
      if (next?.tasks.length === 0) this.#ready.splice(at, 1)
      if (next?.isAlive() === true) task?.()
    }
    return true
  }

  #moveOn(): void {
    this.#options.atRest()
    if (this.#ready.length > 0) return
    const next = this.clock.next()
    if (next === null) this.#options.atEnd()
    else this.clock.wakeAt(next)
  }
}

/** Runs work in virtual time, its tasks in the order in which they become ready. */
export const inVirtualTime = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const time = new VirtualTime()
    const stop = time.start()
    return work.pipe(Effect.withClock(time.clock), Effect.withScheduler(time.scheduler()), Effect.ensuring(Effect.sync(stop)))
  })
