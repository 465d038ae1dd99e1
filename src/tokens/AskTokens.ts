import type { xdr } from "@stellar/stellar-sdk"
import { Clock, Duration, Effect, Either } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import { askDated, type Getter } from "../chain/Getter.ts"
import { sideBySide } from "../chain/SideBySide.ts"
import { DeadlineExceeded } from "../domain/failure/Upstream.ts"
import { runOnce } from "../domain/RunOnce.ts"

/** The longest that one token is waited for: less than the time after which an endpoint counts as hanging (`RpcPolicy.longestSilence`). */
export const longestAnswer = Duration.seconds(2)

/** The longest that one read of an account waits for tokens, all of its rounds together. */
const longestWait = Duration.seconds(4)

/** Questions that go out side by side. */
const concurrency = 8

/** What came of asking a token. */
export type Told =
  | { readonly _tag: "Told"; readonly value: xdr.ScVal; readonly ledger: number }
  /** The token traps, hangs, or breaks whoever asks it: asking again tells no more. */
  | { readonly _tag: "Untold" }
  /** The source did not answer. */
  | { readonly _tag: "Unasked"; readonly failure: ChainFailure }

/** Asks tokens; one answer a question, in their order. */
export type AskTokens = (getters: ReadonlyArray<Getter>) => Effect.Effect<ReadonlyArray<Told>>

/** Who simulates calls. */
type Simulator = Pick<ContractRpc["Type"], "simulateTransaction">

const ask = (rpc: Simulator, getter: Getter, mostMillis: number): Effect.Effect<Told, ChainFailure> =>
  askDated(rpc, getter).pipe(
    Effect.map(({ answer, ledger }): Told =>
      answer._tag === "Returned" ? { _tag: "Told", value: answer.value, ledger } : { _tag: "Untold" }
    ),
    Effect.timeoutFail({
      duration: Math.max(0, Math.min(Duration.toMillis(longestAnswer), mostMillis)),
      onTimeout: () => new DeadlineExceeded()
    })
  )

/**
 * How one read of an account asks tokens. A token may hang or break whoever asks it, so a question that got no answer is put down to its
 * token where the source answers `control` after it, and else to the source. Who refuses for too many requests is the source.
 */
export const askingTokens = (rpc: Simulator, control: Getter): AskTokens => {
  const answersControl = runOnce(Effect.either(ask(rpc, control, Infinity)))
  let millisLeft = Duration.toMillis(longestWait)
  return (getters) =>
    Effect.gen(function*() {
      const began = yield* Clock.currentTimeMillis
      const end = began + millisLeft
      const answers = yield* sideBySide(
        getters,
        concurrency,
        (getter) => Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.either(ask(rpc, getter, end - now)))
      )
      millisLeft -= (yield* Clock.currentTimeMillis) - began
      const isLost = answers.some((answer) => Either.isLeft(answer) && answer.left._tag !== "UpstreamRateLimited")
      const after = isLost ? yield* answersControl : null
      return answers.map((answer): Told => {
        if (Either.isRight(answer)) return answer.right
        if (answer.left._tag === "UpstreamRateLimited") return { _tag: "Unasked", failure: answer.left }
        return after !== null && Either.isLeft(after) ? { _tag: "Unasked", failure: after.left } : { _tag: "Untold" }
      })
    })
}
