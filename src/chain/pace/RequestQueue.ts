import { Deferred, Effect } from "effect"
import { steadyMillis } from "../../fibers/SteadyTime.ts"

/**
 * The rate limit of one endpoint, adapted by AIMD with slow start. A 429 cuts the rate to 90 %, and to 70 % where it follows another soon.
 * Then the rate doubles every second up to the last one that was borne, and grows slowly from there. Times are milliseconds of the clock.
 */
export interface Pace {
  /** Questions a second; infinite where nothing is known against it. */
  readonly rate: number
  /** The rate it is thought to bear: up to here the rate doubles every second, from here on it grows slowly. */
  readonly borne: number
  /** When it was slowed last. */
  readonly slowedAt: number
  /** Since when it is what it is thought to bear, or more. */
  readonly steadyFrom: number
  /** When it grew last. */
  readonly grownAt: number
}

export const unpaced: Pace = { rate: Infinity, borne: Infinity, slowedAt: -Infinity, steadyFrom: -Infinity, grownAt: -Infinity }

/** What is left of a rate that was refused, and of one that was refused again soon after. */
const [afterRefusal, afterAnother] = [0.9, 0.7]

/** Another refusal within so many milliseconds says that the rate is far from what is borne. */
const soon = 5_000

/** Questions a second: the lowest rate after the first refusal of an endpoint, and the highest while an endpoint is down. */
const trickle = 10

/** Questions a second below which no refusal slows it. */
const leastRate = 0.5

/**
 * Milliseconds after a refusal took effect. A question sent before they are over slows the rate no further when it is refused: it was sent
 * too early to be slowed, or falls into the same window of the endpoint.
 */
const oneRefusal = 1_000

/** Beyond what is borne the rate grows each second by as many parts of so many as seconds passed since it was refused: what held for long was a bad guess. */
const slowGrowth = 500

/** Rates from here on delay no question. */
const unfelt = 1_000

/** How long a refusal is remembered, in milliseconds. */
const remembered = 300_000

/** After a refusal for too many questions, of one that was sent at some moment; `answered`: how many were answered within a second before. */
export const paceAfterRefusal = (
  pace: Pace,
  { answered, now, sent }: { readonly answered: number; readonly now: number; readonly sent: number }
): Pace => {
  if (sent - pace.slowedAt < oneRefusal) return pace
  const before = Number.isFinite(pace.rate) ? pace.rate : Math.max(trickle / afterRefusal, answered)
  const rate = Math.max(leastRate, before * (sent - pace.slowedAt < soon ? afterAnother : afterRefusal))
  return { rate, borne: rate, slowedAt: now, steadyFrom: now, grownAt: now }
}

/** While it answers nothing at all: a few questions a second find out when it does, and then it is not asked everything at once. */
export const paceAfterSilence = (pace: Pace, now: number): Pace =>
  pace.rate <= trickle ? pace : { ...pace, rate: trickle, slowedAt: now, grownAt: now }

/** After an answer. */
export const paceAfterAnswer = (pace: Pace, now: number): Pace => {
  if (pace.rate === Infinity) return pace
  if (pace.rate >= unfelt || now - pace.steadyFrom > remembered) return unpaced
  const seconds = Math.min(1, (now - pace.grownAt) / 1_000)
  if (pace.rate < pace.borne) {
    return { ...pace, rate: Math.min(pace.borne, pace.rate * 2 ** seconds), steadyFrom: now, grownAt: now }
  }
  return { ...pace, rate: pace.rate * (1 + (seconds * (now - pace.steadyFrom)) / 1_000 / slowGrowth), grownAt: now }
}

/** Milliseconds between two questions. */
const spacing = ({ rate }: Pace): number => 1_000 / rate

/** A question that waits for its turn. */
interface QueuedRequest {
  readonly order: number
  readonly turn: Deferred.Deferred<void>
}

/** The burst of the bucket: milliseconds by which a turn may come late without the next one being late too. */
const caughtUp = 50

/** Milliseconds without an answer after which failures are those of the endpoint, not of one kind of question. */
const silence = 250

/** Counts what happens in each second, and tells how much it was in the fuller one of the last two. */
const perSecond = () => {
  let [second, count, before] = [0, 0, 0]
  const goTo = (now: number) => {
    const at = Math.floor(now / 1_000)
    if (at === second) return
    before = at === second + 1 ? count : 0
    second = at
    count = 0
  }
  return {
    add: (now: number): void => {
      goTo(now)
      count++
    },
    most: (now: number): number => {
      goTo(now)
      return Math.max(count, before)
    }
  }
}

/**
 * A token bucket over the questions to one endpoint, with a priority queue before it. Its rate is a `Pace`: without bound until the
 * endpoint first answers 429, then one by one, those of the oldest request first.
 */
export interface RequestQueue {
  /** How many milliseconds a question of that order would wait if it came now, when nothing older comes after it. */
  readonly ahead: (order: number, now: number) => number
  /** Takes a turn where no one has to wait for one; false where there is a line. */
  readonly passes: (now: number) => boolean
  /** Waits in line for a turn. */
  readonly turn: (order: number) => Effect.Effect<void>
  /** The endpoint answered. */
  readonly answered: (now: number) => void
  /** It refused a question, sent at some moment, for too many, and rests until some moment. */
  readonly refused: (sent: number, now: number, until: number) => void
  /** It failed, several times in a row. */
  readonly lost: (now: number) => void
}

export const requestQueue = (): RequestQueue => {
  const waiting: Array<QueuedRequest> = []
  const answers = perSecond()
  let pace: Pace = unpaced
  let [nextAt, answeredAt] = [0, 0]
  let isServed = false

  const take = (now: number) => {
    if (pace !== unpaced) nextAt = Math.max(nextAt, now - caughtUp) + spacing(pace)
  }

  const placeOf = (order: number): number => {
    const place = waiting.findLastIndex((one) => one.order <= order)
    return place + 1
  }

  const serve: Effect.Effect<void> = Effect.gen(function*() {
    while (waiting.length > 0) {
      const now = yield* steadyMillis
      if (nextAt > now) {
        // Whole milliseconds: what is left of one may be less than a clock can wait, and would be waited for again and again.
        yield* Effect.sleep(Math.ceil(nextAt - now))
        continue
      }
      take(now)
      const next = waiting.shift()
      if (next !== undefined) yield* Deferred.succeed(next.turn, undefined)
    }
    isServed = false
  })

  const turn = (order: number) =>
    Effect.gen(function*() {
      const one: QueuedRequest = { order, turn: yield* Deferred.make<void>() }
      waiting.splice(placeOf(order), 0, one)
      if (!isServed) {
        isServed = true
        yield* Effect.forkDaemon(Effect.interruptible(serve))
      }
      yield* Effect.onInterrupt(Deferred.await(one.turn), () =>
        Effect.sync(() => {
          const place = waiting.indexOf(one)
          if (place >= 0) waiting.splice(place, 1)
        }))
    })

  return {
    ahead: (order, now) => Math.max(0, nextAt - now) + placeOf(order) * spacing(pace),
    passes: (now) => {
      if (waiting.length > 0 || nextAt > now) return false
      take(now)
      return true
    },
    turn,
    answered: (now) => {
      answers.add(now)
      answeredAt = now
      pace = paceAfterAnswer(pace, now)
    },
    refused: (sent, now, until) => {
      pace = paceAfterRefusal(pace, { answered: answers.most(now), now, sent })
      nextAt = Math.max(nextAt, until)
    },
    lost: (now) => {
      if (now - answeredAt >= silence) pace = paceAfterSilence(pace, now)
    }
  }
}
