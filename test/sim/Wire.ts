import { Data, Effect } from "effect"
import type { Dice } from "../client/support/Dice.ts"
import type { Process } from "./Process.ts"

/** A connection ended without an answer. */
export class AnswerLost extends Data.TaggedError("AnswerLost")<{ readonly arrived: boolean }> {}

/** Loss rates of a way for requests and answers, for parts of an answer, and its latency in milliseconds. */
export interface Way {
  lostThere: number
  lostBack: number
  /** Answers that come much later. */
  late: number
  millis: number
}

/** A way without loss. */
export const soundWay = (): Way => ({ lostThere: 0, lostBack: 0, late: 0, millis: 40 })

/** The longest delay of an answer that comes late, in milliseconds. */
const latest = 30_000

/** Carries requests between processes. It belongs to the network's process, which is never killed. */
export class Wire {
  readonly #carrier: Process
  readonly #dice: Dice

  constructor(carrier: Process, dice: Dice) {
    this.#carrier = carrier
    this.#dice = dice
  }

  /** Lets a process handle a request, and returns the outcome. An interrupted caller gets no answer; the work continues. */
  carry<A>(way: Way, to: () => Process | null, work: Effect.Effect<A>): Effect.Effect<A, AnswerLost> {
    const { chance } = this.#dice
    const pause = Effect.suspend(() => Effect.sleep(1 + this.#dice.below(way.millis)))
    const lost = (arrived: boolean) => Effect.zipRight(pause, Effect.fail(new AnswerLost({ arrived })))
    const carried = Effect.gen(this, function*() {
      yield* pause
      const process = to()
      if (process === null || chance(way.lostThere)) return yield* lost(false)
      const answer = yield* process === this.#carrier
        ? Effect.uninterruptible(work)
        : Effect.mapError(process.run(work), () => new AnswerLost({ arrived: true }))
      if (chance(way.late)) yield* Effect.sleep(this.#dice.below(latest))
      yield* pause
      return chance(way.lostBack) ? yield* lost(true) : answer
    })
    return Effect.catchTag(this.#carrier.run(carried, true), "ProcessKilled", () => new AnswerLost({ arrived: false }))
  }
}
