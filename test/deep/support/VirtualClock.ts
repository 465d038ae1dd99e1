import { Effect, Scheduler } from "effect"
import { MovedClock } from "../../support/JumpingClock.ts"

/** Turns of the event loop in which nothing may run before the clock moves on: promises of bodies take one or two. */
const quietTurns = 4

/** When virtual time begins: whole, so that windows of a second are those of the wall. */
const beginning = 1_900_000_000_000

/** Runs what it is given as usual, and tells whether anything ran or waits to run since it was asked last. */
const counting = () => {
  const usual = Scheduler.defaultScheduler
  let [waiting, ran] = [0, false]
  const scheduler: Scheduler.Scheduler = {
    shouldYield: (fiber) => usual.shouldYield(fiber),
    scheduleTask: (task, priority, fiber) => {
      waiting++
      usual.scheduleTask(
        () => {
          waiting--
          ran = true
          task()
        },
        priority,
        fiber
      )
    }
  }
  const isBusy = (): boolean => {
    const was = ran || waiting > 0
    ran = false
    return was
  }
  return { scheduler, isBusy }
}

/**
 * Runs work in virtual time: what computes takes none, and what sleeps takes as long as it says, however fast the machine is. Nothing
 * of the work may wait for a socket or a file, which the clock would not wait for.
 */
export const inVirtualTime = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const clock = new MovedClock(beginning)
    const { isBusy, scheduler } = counting()
    let over = false
    let quiet = 0
    const turn = () => {
      if (over) return
      quiet = isBusy() ? 0 : quiet + 1
      if (quiet >= quietTurns) {
        quiet = 0
        const next = clock.next(Number.MAX_SAFE_INTEGER)
        if (next !== null) clock.wakeAt(next)
      }
      setImmediate(turn)
    }
    setImmediate(turn)
    return work.pipe(
      Effect.withClock(clock),
      Effect.withScheduler(scheduler),
      Effect.ensuring(Effect.sync(() => {
        over = true
      }))
    )
  })
