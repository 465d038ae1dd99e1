import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { type Share, sharing } from "../../src/fibers/SharedWork.ts"

class Sharing extends Context.Tag("test/Sharing")<Sharing, Share>() {}

// Layers that are built in parallel, as the service's are.
const layers = Layer.mergeAll(Layer.scoped(Sharing, sharing), Layer.empty)

it.effect("shared work that sleeps within a timeout ends with its layer, though its clock stands still", () =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    const share = Context.get(yield* Layer.buildWithScope(layers, scope), Sharing)
    const work = yield* share("Test.sleep", Effect.timeoutOption(Effect.never, "8 seconds"))
    yield* Effect.yieldNow()
    yield* Scope.close(scope, Exit.void)
    assert.isTrue(Exit.isInterrupted(yield* Effect.exit(work.outcome)))
    const late = yield* share("Test.late", Effect.succeed(1))
    assert.isTrue(Exit.isInterrupted(yield* Effect.exit(late.outcome)))
  }))
