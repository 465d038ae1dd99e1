import type { xdr } from "@stellar/stellar-sdk"
import { Duration, Effect, Either } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import { askDated, type Getter } from "../chain/Getter.ts"
import { longestAnswer } from "../chain/RpcPolicy.ts"
import { steadyMillis } from "../fibers/SteadyTime.ts"

/** Questions that go out side by side. */
const concurrency = 8

/** Tokens that may hang at one source in one read: those after them are not asked. */
const mostHanging = 16

/** The answer of a token to one getter, or why there is none. */
export type TokenAnswer =
  | { readonly _tag: "Value"; readonly value: xdr.ScVal; readonly ledger: number }
  /** The token traps, hangs, or crashes the node: a retry gives no more. */
  | { readonly _tag: "NoValue" }
  /** Its turn did not come: the time was over, or too many tokens before it hung. */
  | { readonly _tag: "Unasked" }
  /** The source did not answer. */
  | { readonly _tag: "Failed"; readonly failure: ChainFailure }

/** Calls getters of tokens until a time of the clock (milliseconds); one answer a getter, in their order. */
export type TokenQuery = (getters: ReadonlyArray<Getter>, until: number) => Effect.Effect<ReadonlyArray<TokenAnswer>>

/** A source that simulates calls. */
type Simulator = Pick<ContractRpc["Type"], "simulateTransaction">

const unasked: TokenAnswer = { _tag: "Unasked" }

/** A time budget for several rounds: each gets the moment at which it must end, milliseconds of the clock. */
export const timeForRounds = (most: Duration.Duration) => {
  let left = Duration.toMillis(most)
  return <A, E, R>(round: (until: number) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function*() {
      const began = yield* steadyMillis
      const done = yield* round(began + left)
      left -= (yield* steadyMillis) - began
      return done
    })
}

/**
 * The token query of one read of an account, at one source. A token may hang or crash the node. So a missing answer is blamed on the token
 * where the source answers `control` after it, else on the source, which is then queried no more. A rate limit is always the source's.
 */
export const tokenQuery = (rpc: Simulator, control: Getter): Effect.Effect<TokenQuery> =>
  Effect.gen(function*() {
    const ask = (getter: Getter) =>
      Effect.map(
        askDated(rpc, getter, longestAnswer),
        ({ answer, ledger }): TokenAnswer =>
          answer._tag === "Returned" ? { _tag: "Value", value: answer.value, ledger } : { _tag: "NoValue" }
      )
    const answersControl = yield* Effect.cached(Effect.either(ask(control)))
    let hanging = 0
    let silence: TokenAnswer | null = null
    const withoutAnswer = (failure: ChainFailure): Effect.Effect<TokenAnswer> => {
      if (failure._tag === "UpstreamRateLimited") return Effect.succeed({ _tag: "Failed", failure })
      if (failure._tag === "DeadlineExceeded") hanging++
      return Effect.map(answersControl, (answered) => {
        if (Either.isRight(answered)) return { _tag: "NoValue" }
        silence = { _tag: "Failed", failure: answered.left }
        return silence
      })
    }
    const inTime = (getter: Getter, until: number): Effect.Effect<TokenAnswer> =>
      Effect.flatMap(steadyMillis, (now) => {
        if (silence !== null) return Effect.succeed(silence)
        if (now >= until || hanging >= mostHanging) return Effect.succeed(unasked)
        const asked = Effect.timeoutTo(Effect.either(ask(getter)), {
          duration: until - now,
          onSuccess: (answer) => answer,
          onTimeout: () => Either.right(unasked)
        })
        return Effect.flatMap(asked, (answer) => (Either.isRight(answer) ? Effect.succeed(answer.right) : withoutAnswer(answer.left)))
      })
    return (getters, until) => Effect.forEach(getters, (getter) => inTime(getter, until), { concurrency })
  })
