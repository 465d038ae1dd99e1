import { type Clock, Context, Duration, Effect, Layer } from "effect"
import { steadyNow } from "../../fibers/SteadyTime.ts"
import { withinBudget } from "./TimeBudget.ts"

/** Milliseconds between two looks at the event loop. */
const period = 50

/** Milliseconds by which a look may be late without anything being wrong. */
const tolerable = 25

/**
 * How long this process kept everyone waiting: the milliseconds, since some moment, by which its event loop was late. What an endpoint
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
export const millisWithoutStalls = (clock: Clock.Clock, { total }: Stalls["Type"]): number => steadyNow(clock) - total()

/** Fails when work is not done in time, the time that the event loop was late not counted. */
export const timelyOr =
  <E2>(duration: Duration.Duration, late: () => E2) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.flatMap(Stalls, (stalls) =>
      Effect.clockWith((clock) => {
        const end = millisWithoutStalls(clock, stalls) + Duration.toMillis(duration)
        return withinBudget(
          { clock, left: () => end - millisWithoutStalls(clock, stalls), waiting: new Set() },
          () => Effect.failSync(late)
        )(
          work
        )
      }))
