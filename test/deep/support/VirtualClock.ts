import { Clock, Duration, Effect, Scheduler } from "effect"

/** Whoever sleeps until some moment. */
interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

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

/** A clock that stands while anything runs, and goes to the next who sleeps when nothing does. */
const virtualClock = () => {
  let now = beginning
  const sleepers = new Set<Sleeper>()
  const clock: Clock.Clock = {
    ...Clock.make(),
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(Math.round(now * 1_000)) * 1_000n,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(() => BigInt(Math.round(now * 1_000)) * 1_000n),
    sleep: (duration) =>
      Effect.async((resume) => {
        if (!Duration.isFinite(duration)) return
        const sleeper: Sleeper = { until: now + Duration.toMillis(duration), wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        return Effect.sync(() => sleepers.delete(sleeper))
      })
  }
  const moveOn = () => {
    const next = [...sleepers].reduce((soonest, { until }) => Math.min(soonest, until), Infinity)
    if (next === Infinity) return
    now = Math.max(now, next)
    for (const sleeper of [...sleepers].filter(({ until }) => until <= now)) {
      sleepers.delete(sleeper)
      sleeper.wake()
    }
  }
  return { clock, moveOn }
}

/**
 * Runs work in virtual time: what computes takes none, and what sleeps takes as long as it says, however fast the machine is. Nothing
 * of the work may wait for a socket or a file, which the clock would not wait for.
 */
export const inVirtualTime = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const { clock, moveOn } = virtualClock()
    const { isBusy, scheduler } = counting()
    let over = false
    let quiet = 0
    const turn = () => {
      if (over) return
      quiet = isBusy() ? 0 : quiet + 1
      if (quiet >= quietTurns) {
        quiet = 0
        moveOn()
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
