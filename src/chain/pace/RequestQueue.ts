import { Deferred, Effect } from "effect"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { type Pace, paceAfterAnswer, paceAfterRefusal, paceAfterSilence, spacing, unpaced } from "./Pace.ts"

/** A question that waits to be asked. */
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
 * A token bucket over the questions to one endpoint, with a priority queue before it. Its rate is that of `Pace.ts`: without bound until the
 * endpoint first answers 429, then one by one, those of the oldest request first.
 */
export interface RequestQueue {
  /** How many milliseconds a question of that order would wait if it came now, when nothing older comes after it. */
  readonly ahead: (order: number, now: number) => number
  /** Takes a turn where nobody has to wait for one; false where there is a line. */
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
