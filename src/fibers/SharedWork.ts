import { Duration, Effect, type Exit, Fiber, FiberSet, type Option, type Scope, SynchronizedRef } from "effect"
import { steadyMillis } from "./SteadyTime.ts"
import { traced } from "./Traced.ts"

/** Work that continues by itself, for everyone who waits for it. */
export interface SharedWork<A, E> {
  /** The result of the work. Who stops waiting does not stop the work. */
  readonly outcome: Effect.Effect<A, E>
  /** The same without waiting; none while the work continues. */
  readonly soFar: Effect.Effect<Option.Option<Exit.Exit<A, E>>>
}

/**
 * What a fiber ends with. It is awaited, never joined: a join would hand the work's fiber refs to the waiting fiber, and with them log
 * annotations, spans and context.
 */
export const endOfFiber = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<A, E> => Effect.flatten(Fiber.await(fiber))

/** Begins work that belongs to no request, under a name that its log lines (`shared`) and its root span bear. */
export type Share = <A, E>(name: string, work: Effect.Effect<A, E>) => Effect.Effect<SharedWork<A, E>>

/**
 * How a layer begins work that several requests wait for (single flight). Such work lives in the scope in which this was made, with the
 * runtime of that moment, and only the end of that scope interrupts it: the request that happened to ask first leaves neither its id nor
 * its caller nor its span in it. Its fiber begins from a runtime, not from copied fiber refs: those of a layer that is being built say that
 * what is forked belongs to the fiber that builds it, and a timeout inside the work would outlive its interruption.
 */
export const sharing: Effect.Effect<Share, never, Scope.Scope> = Effect.map(FiberSet.makeRuntime(), (run): Share => (name, work) => {
  const named = traced(name, () => ({ root: true }))(Effect.annotateLogs(work, { shared: name }))
  return Effect.sync(() => {
    const fiber = run(Effect.interruptible(named), { immediate: false })
    return { outcome: endOfFiber(fiber), soFar: Fiber.poll(fiber) }
  })
})

/** As `sharing`, by key: callers that name the key of work that continues wait for that (single flight). */
export const sharingByKey = <Key, A, E>(): Effect.Effect<
  (name: string, key: Key, work: Effect.Effect<A, E>) => Effect.Effect<SharedWork<A, E>>,
  never,
  Scope.Scope
> =>
  Effect.map(sharing, (share) => {
    const running = new Map<Key, SharedWork<A, E>>()
    return (name, key, work) =>
      Effect.suspend(() => {
        const known = running.get(key)
        if (known !== undefined) return Effect.succeed(known)
        const ended = Effect.sync(() => running.delete(key))
        return Effect.tap(share(name, Effect.ensuring(work, ended)), (begun) => Effect.sync(() => running.set(key, begun)))
      })
  })

/** Work under a name, begun by a caller and shared by all that come within `duration`, counted from its beginning on a clock that never jumps. */
export const sharedFor = <A, E>(
  duration: Duration.DurationInput,
  name: string,
  work: Effect.Effect<A, E>
): Effect.Effect<Effect.Effect<A, E>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const share = yield* sharing
    const last = yield* SynchronizedRef.make<{ readonly since: number; readonly outcome: Effect.Effect<A, E> } | null>(null)
    const current = SynchronizedRef.updateAndGetEffect(last, (known) =>
      Effect.flatMap(steadyMillis, (since) =>
        known !== null && since - known.since < Duration.toMillis(duration)
          ? Effect.succeed(known)
          : Effect.map(share(name, work), ({ outcome }) => ({ since, outcome }))))
    return Effect.flatMap(current, (begun) =>
      begun?.outcome ?? Effect.dieMessage("shared work that was not begun"))
  })
