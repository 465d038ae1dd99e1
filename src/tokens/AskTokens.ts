import type { xdr } from "@stellar/stellar-sdk"
import { Duration, Effect, Either } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import { askDated, type Getter } from "../chain/Getter.ts"
import { sideBySide } from "../chain/pace/SideBySide.ts"
import { steadyMillis } from "../fibers/SteadyTime.ts"

/** The longest that one token is waited for once it was asked: less than the time after which an endpoint counts as hanging (`RpcPolicy.longestSilence`). */
export const longestAnswer = Duration.seconds(2)

/** Questions that go out side by side. */
const concurrency = 8

/** Tokens that may hang at one source in one read: those after them are not asked. */
const mostHanging = 16

/** What a token said, or why it said nothing. */
export type TokenAnswer =
  | { readonly _tag: "Told"; readonly value: xdr.ScVal; readonly ledger: number }
  /** The token traps, hangs, or breaks whoever asks it: asking again tells no more. */
  | { readonly _tag: "Untold" }
  /** Its turn did not come: the time was over, or too many tokens before it hung. */
  | { readonly _tag: "Unasked" }
  /** The source did not answer. */
  | { readonly _tag: "Failed"; readonly failure: ChainFailure }

/** Asks tokens until a time of the clock in milliseconds; one answer a question, in their order. */
export type AskTokens = (getters: ReadonlyArray<Getter>, until: number) => Effect.Effect<ReadonlyArray<TokenAnswer>>

/** Who simulates calls. */
type Simulator = Pick<ContractRpc["Type"], "simulateTransaction">

const unasked: TokenAnswer = { _tag: "Unasked" }

/** Time for something that is done in several rounds: each gets the moment at which it must end, milliseconds of the clock. */
export const inRounds = (most: Duration.Duration) => {
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
 * How one read of an account asks tokens at one source. A token may hang or break whoever asks it, so a question that got no answer is put down
 * to its token where the source answers `control` after it. Else it is put down to the source, which is asked nothing more. Who refuses for too
 * many requests is the source.
 */
export const askingTokens = (rpc: Simulator, control: Getter): Effect.Effect<AskTokens> =>
  Effect.gen(function*() {
    const ask = (getter: Getter) =>
      Effect.map(
        askDated(rpc, getter, longestAnswer),
        ({ answer, ledger }): TokenAnswer => answer._tag === "Returned" ? { _tag: "Told", value: answer.value, ledger } : { _tag: "Untold" }
      )
    const answersControl = yield* Effect.cached(Effect.either(ask(control)))
    let hanging = 0
    let silence: TokenAnswer | null = null
    const withoutAnswer = (failure: ChainFailure): Effect.Effect<TokenAnswer> => {
      if (failure._tag === "UpstreamRateLimited") return Effect.succeed({ _tag: "Failed", failure })
      if (failure._tag === "DeadlineExceeded") hanging++
      return Effect.map(answersControl, (answered) => {
        if (Either.isRight(answered)) return { _tag: "Untold" }
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
    return (getters, until) => sideBySide(getters, concurrency, (getter) => inTime(getter, until))
  })
