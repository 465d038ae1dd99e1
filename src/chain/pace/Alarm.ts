import { Clock, Context, DefaultServices, Duration, Effect, Exit } from "effect"

/** The clock that goes by itself. Any other is moved by whoever made it, and only it knows when somebody is to be woken. */
const live = Context.get(DefaultServices.liveServices, Clock.Clock)

/** The longest time that a timer of JavaScript knows, in milliseconds. */
const longest = 2 ** 31 - 1

/**
 * Calls back when so many milliseconds of a clock have passed; what it answers calls that off. A fiber that sleeps would do, but there is
 * one of these for each call of a source, and a fiber costs several times as much as the timer it waits for.
 */
export const alarm = (clock: Clock.Clock, millis: number, ring: () => void): () => void => {
  if (clock === live) {
    const timer = setTimeout(ring, Math.min(millis, longest))
    return () => clearTimeout(timer)
  }
  const sleeping = Effect.runFork(clock.sleep(Duration.millis(millis)))
  sleeping.addObserver((exit) => {
    if (Exit.isSuccess(exit)) ring()
  })
  return () => sleeping.unsafeInterruptAsFork(sleeping.id())
}
