import { Effect, Fiber } from "effect"
import type { Exit, Option, Scope } from "effect"
import { endOfFiber } from "../domain/EndOfFiber.ts"
import { traced } from "../domain/Traced.ts"

/** Work that goes on by itself, for everybody who waits for it. */
export interface SharedWork<A, E> {
  /** What comes of it. Who stops waiting does not stop the work. */
  readonly outcome: Effect.Effect<A, E>
  /** The same without waiting; none while the work goes on. */
  readonly soFar: Effect.Effect<Option.Option<Exit.Exit<A, E>>>
}

/** Begins work that belongs to no request, under a name that its log lines (`shared`) and its root span bear. */
export type Share = <A, E>(name: string, work: Effect.Effect<A, E>) => Effect.Effect<SharedWork<A, E>>

/**
 * How a layer begins work that several requests wait for. Such work lives in the scope in which this was made, with the fiber refs and the
 * context of that moment, and can be interrupted by nothing but the end of that scope: the request that happened to ask first leaves
 * neither its id nor its caller nor its span in it.
 */
export const sharing: Effect.Effect<Share, never, Scope.Scope> = Effect.gen(function*() {
  const scope = yield* Effect.scope
  const clean = yield* Effect.getFiberRefs
  return (name, work) => {
    const named = traced(name, () => ({ root: true }))(Effect.annotateLogs(work, { shared: name }))
    const begun = Effect.forkIn(Effect.interruptible(Effect.zipRight(Effect.updateFiberRefs(() => clean), named)), scope)
    return Effect.map(begun, (fiber) => ({ outcome: endOfFiber(fiber), soFar: Fiber.poll(fiber) }))
  }
})
