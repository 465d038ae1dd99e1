import { Effect } from "effect"

/** Milliseconds for which work may hold a turn of the event loop before it lets others go first. */
const longestTurn = 8

/** When the turn that runs now was first asked about; null until somebody asks. */
let began: number | null = null

/** Who waits for a turn, first come first served. One goes on in each, so that sockets and timers are served between any two. */
const waiting: Array<() => void> = []

/** Whether the next of them is to be served already. */
let called = false

const call = () => {
  if (called || waiting.length === 0) return
  called = true
  setImmediate(() => {
    called = false
    began = null
    const next = waiting.shift()
    call()
    next?.()
  })
}

/** Whether whatever runs now has held the event loop for as long as it may, alone or together with others. */
const turnIsOver = (): boolean => {
  const now = performance.now()
  if (began === null) {
    began = now
    setImmediate(() => {
      began = null
    })
  }
  return now - began >= longestTurn
}

/**
 * Waits for a turn of the event loop. `Effect.yieldNow` does not: fibers take over from one another as microtasks, and meanwhile no
 * socket is read and no timer fires.
 */
export const nextTurn: Effect.Effect<void> = Effect.async((resume) => {
  const go = () => resume(Effect.void)
  waiting.push(go)
  call()
  return Effect.sync(() => {
    const at = waiting.indexOf(go)
    if (at >= 0) waiting.splice(at, 1)
  })
})

/** Goes on at once, or in a later turn when this one has been held for long enough. */
export const breathe: Effect.Effect<void> = Effect.suspend(() => (turnIsOver() ? nextTurn : Effect.void))

/** Work that computes and waits for nothing. Wherever it yields it may be left for a while, or for good. */
export type Stoppable<A> = Generator<unknown, A, void>

/** Runs such work in short turns; it can be interrupted between them. */
export const inTurns = <A>(begin: () => Stoppable<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const work = begin()
    const goOn: Effect.Effect<A> = Effect.suspend(() => {
      for (;;) {
        const step = work.next()
        if (step.done === true) return Effect.succeed(step.value)
        if (turnIsOver()) return Effect.zipRight(nextTurn, goOn)
      }
    })
    return goOn
  })

/** Runs such work to its end at once, for callers that hold nobody up. */
export const atOnce = <A>(work: Stoppable<A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
