import { effect, flakyTest, it, layer as overwriting, prop, scoped, type Vitest } from "@effect/vitest"
import type { Duration, Layer } from "effect"

interface Options<ExcludeTestServices extends boolean> {
  readonly timeout?: Duration.DurationInput
  readonly excludeTestServices?: ExcludeTestServices
}

/**
 * Tests that share one layer, as `layer` of `@effect/vitest` has them, but with an `it` of their own. The original
 * hangs its methods on the one global `it` and leaves them there, so that every later `it.effect` of the process runs
 * in the shared layer and on its test clock: in the same file always, in others wherever files share a worker.
 */
export const layer =
  <R, E, ExcludeTestServices extends boolean = false>(shared: Layer.Layer<R, E>, options?: Options<ExcludeTestServices>) =>
  (name: string, tests: (it: Omit<Vitest.MethodsNonLive<R, ExcludeTestServices>, "layer">) => void) =>
    overwriting(shared, options)(name, (overwritten) => {
      const own = Object.assign(it.bind(undefined), it, {
        effect: overwritten.effect,
        scoped: overwritten.scoped,
        prop: overwritten.prop,
        flakyTest: overwritten.flakyTest
      })
      Object.assign(it, { effect, scoped, prop, flakyTest, layer: overwriting })
      tests(own)
    })
