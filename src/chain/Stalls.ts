import { Clock, Context, Duration, Effect, Layer } from "effect"

/** Milliseconds between two looks at the event loop. */
const period = 50

/** Milliseconds by which a look may be late without anything being wrong. */
const tolerable = 25

/**
 * How long this process kept everybody waiting: the milliseconds, since some moment, by which its event loop was late. What an endpoint
 * could not answer in that time is not its fault. Zero unless a layer watches the loop, so that tests which move the clock see no other.
 */
export class Stalls extends Context.Reference<Stalls>()("closeout/chain/Stalls", {
  defaultValue: (): { readonly total: () => number } => ({ total: () => 0 })
}) {
  /** Watches the event loop as long as the layer lives. */
  static readonly layer: Layer.Layer<Stalls> = Layer.scoped(
    Stalls,
    Effect.acquireRelease(
      Effect.sync(() => {
        let before = performance.now()
        let sum = 0
        const late = () => Math.max(0, performance.now() - before - period - tolerable)
        const timer = setInterval(() => {
          sum += late()
          before = performance.now()
        }, period)
        timer.unref()
        return { timer, total: () => sum + late() }
      }),
      ({ timer }) => Effect.sync(() => clearInterval(timer))
    )
  )
}

/** Milliseconds of a clock, less those that the event loop was late. */
export const undisturbedMillis: Effect.Effect<number> = Effect.zipWith(Clock.currentTimeMillis, Stalls, (now, { total }) => now - total())

/** Sleeps for as long as somebody else is waited for: what the event loop was late meanwhile is added. */
export const patientSleep = (duration: Duration.Duration): Effect.Effect<void> =>
  Effect.gen(function*() {
    const end = (yield* undisturbedMillis) + Duration.toMillis(duration)
    for (let left = Duration.toMillis(duration); left > 0; left = end - (yield* undisturbedMillis)) yield* Effect.sleep(left)
  })

/** Fails when work is not done in time, the time that the event loop was late not counted. */
export const timelyOr =
  <E2>(duration: Duration.Duration, late: () => E2) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.raceFirst(work, Effect.zipRight(patientSleep(duration), Effect.failSync(late)))
