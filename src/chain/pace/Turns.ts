import { Effect, Either, ParseResult, Schema, type SchemaAST } from "effect"

/** Milliseconds for which work may hold a turn of the event loop before it lets others go first. */
const longestTurn = 8

/** When the turn that runs now began, and how many milliseconds the loop had waited for sockets and timers by then. */
let [began, idled] = [0, 0]

let watched = false

const mark = () => {
  began = performance.now()
  idled = performance.nodeTiming.idleTime
}

/** Marks every turn from now on, without keeping the loop from waiting or the process from ending. */
const watch = () => {
  setImmediate(() => {
    mark()
    watch()
  }).unref()
}

/**
 * Whether the work that runs now has held the event loop for as long as it may, alone or together with others, from the beginning of the
 * turn on. Time that the loop spent waiting for sockets and timers does not count: it held no one up.
 */
const turnIsOver = (): boolean => {
  if (!watched) {
    watched = true
    mark()
    watch()
  }
  if (performance.now() - began < longestTurn) return false
  const idle = performance.nodeTiming.idleTime
  began += idle - idled
  idled = idle
  return performance.now() - began >= longestTurn
}

/** Who waits for a turn, first come first served. Between any two turns sockets and timers are served. */
const waiting: Array<() => void> = []

/** Whether the next of them is to be served already. */
let called = false

/** Calls everyone who waits now, one after the other as far as the turn lasts: each continues for as long as it can before the next. */
const serve = () => {
  const many = waiting.length
  for (let at = 0; at < many; at++) {
    setImmediate(() => {
      if (at === 0) mark()
      if (at === 0 || !turnIsOver()) waiting.shift()?.()
      if (at < many - 1) return
      if (waiting.length === 0) called = false
      else serve()
    })
  }
}

const call = () => {
  if (called) return
  called = true
  serve()
}

/**
 * Waits for a turn of the event loop. `Effect.yieldNow` does not: fibers take over from one another as microtasks, and while those run no
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

/** Continues at once, or in a later turn when this one has been held for long enough. */
export const yieldTurn: Effect.Effect<void> = Effect.suspend(() => (turnIsOver() ? nextTurn : Effect.void))

/** Characters of an answer that are read in no time. */
const little = 20_000

/** As `yieldTurn`, before an answer that takes long to read. A short answer is not held up, and neither is the question after it. */
export const yieldBefore = (text: string): Effect.Effect<void> => (text.length > little ? yieldTurn : Effect.void)

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

/** Runs such work to its end at once, for callers that hold no one up. */
export const atOnce = <A>(work: Stoppable<A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Items decoded before others may go first. What is little is not held up: a plan asks for thousands of short lists. */
const atATime = 16

function* each<A>(
  decode: (item: unknown) => Either.Either<A, ParseResult.ParseIssue>,
  items: ReadonlyArray<unknown>,
  ast: SchemaAST.AST
): Stoppable<Either.Either<ReadonlyArray<A>, ParseResult.ParseIssue>> {
  const decoded: Array<A> = []
  for (const [index, item] of items.entries()) {
    const one = decode(item)
    if (Either.isLeft(one)) return Either.left(new ParseResult.Composite(ast, items, new ParseResult.Pointer(index, items, one.left)))
    decoded.push(one.right)
    if (decoded.length % atATime === 0) yield
  }
  return Either.right(decoded)
}

/** A list that is decoded in short turns, however long it is: sources and strangers choose its length. The first item that does not fit fails it. */
export const listInTurns = <A, I>(item: Schema.Schema<A, I>): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const decode = ParseResult.decodeUnknownEither(item)
  const encode = ParseResult.encodeUnknownEither(item)
  // Its items are what decoding made them: they are not looked at again.
  const decoded = Schema.declare((value): value is ReadonlyArray<A> => Array.isArray(value))
  return Schema.transformOrFail(Schema.Array(Schema.Unknown), decoded, {
    strict: true,
    // A list of a single turn is decoded without waiting for anything.
    decode: (items, _, ast) =>
      items.length < atATime ? atOnce(each(decode, items, ast)) : Effect.flatten(inTurns(() => each(decode, items, ast))),
    encode: (values) => Either.all(values.map((value) => encode(value)))
  })
}
