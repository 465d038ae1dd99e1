import { Cause, Effect, Exit, Fiber, Runtime } from "effect"

type Part = Effect.Effect<unknown, unknown, unknown>

/** What parts give, each in its place. */
type Values<Parts extends ReadonlyArray<Part>> = { -readonly [Place in keyof Parts]: Effect.Effect.Success<Parts[Place]> }

/** What all of them came to. */
const together = (exits: ReadonlyArray<Exit.Exit<unknown, unknown>>): Exit.Exit<ReadonlyArray<unknown>, unknown> => {
  const [first, ...others] = exits.flatMap((exit) => (Exit.isFailure(exit) ? [exit.cause] : []))
  return first === undefined
    ? Exit.succeed(exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : undefined)))
    : Exit.failCause(others.reduce((one, other) => Cause.parallel(one, other), first))
}

const run = (parts: ReadonlyArray<Part>, runtime: Runtime.Runtime<unknown>) =>
  Effect.withFiberRuntime<ReadonlyArray<unknown>, unknown>((waiting) =>
    Effect.async<ReadonlyArray<unknown>, unknown>((resume) => {
      const exits: Array<Exit.Exit<unknown, unknown>> = []
      const fibers: Array<Fiber.RuntimeFiber<unknown, unknown>> = []
      let [open, isFailed] = [parts.length, false]
      for (const [place, part] of parts.entries()) {
        const fiber = Runtime.runFork(runtime, part)
        fibers.push(fiber)
        fiber.addObserver((exit) => {
          exits[place] = exit
          open -= 1
          if (Exit.isFailure(exit) && !isFailed) {
            isFailed = true
            // Those that have not begun never do.
            open -= parts.length - fibers.length
            for (const other of fibers) other.unsafeInterruptAsFork(waiting.id())
          }
          if (open === 0) resume(together(exits))
        })
        if (isFailed) break
      }
      return Fiber.interruptAllAs(fibers, waiting.id())
    })
  )

/**
 * Runs parts at the same time, as `Effect.all` does with `concurrency: "unbounded"` and without batching: the first that fails stops the
 * others, and nothing is left running when it ends. It costs a third, which counts where every request does it several times: a part begins
 * at once, in a fiber that is handed the refs of the waiting fiber and hands none back, where `Effect.all` copies and merges them for each.
 */
export const concurrently = <const Parts extends ReadonlyArray<Part>>(
  parts: Parts
): Effect.Effect<Values<Parts>, Effect.Effect.Error<Parts[number]>, Effect.Effect.Context<Parts[number]>> => {
  const running = parts.length === 0 ? Effect.succeed([]) : Effect.flatMap(Effect.runtime<unknown>(), (runtime) => run(parts, runtime))
  return running as Effect.Effect<Values<Parts>, Effect.Effect.Error<Parts[number]>, Effect.Effect.Context<Parts[number]>>
}

/**
 * Calls `ask` for each of them, at most `most` at a time, in fibers that take one after the other. With one alone it runs in the caller's
 * fiber: a fiber of its own would only cost.
 */
export const sideBySide = <A, B, E, R>(
  all: ReadonlyArray<A>,
  most: number,
  ask: (one: A) => Effect.Effect<B, E, R>
): Effect.Effect<Array<B>, E, R> => {
  if (all.length <= 1) return Effect.forEach(all, ask)
  return Effect.suspend(() => {
    const found: Array<B> = []
    const open = all.entries()
    const work: Effect.Effect<void, E, R> = Effect.suspend(() => {
      const next = open.next()
      if (next.done === true) return Effect.void
      const [place, one] = next.value
      return Effect.flatMap(ask(one), (answer) => {
        found[place] = answer
        return work
      })
    })
    return Effect.as(concurrently(Array.from({ length: Math.min(most, all.length) }, () => work)), found)
  })
}

/**
 * What a fiber ends with. It is awaited, never joined: a join would hand the work's fiber refs to the waiting fiber, and with them log
 * annotations, spans and context, which costs time besides.
 */
export const endOfFiber = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<A, E> => Effect.flatten(Fiber.await(fiber))
