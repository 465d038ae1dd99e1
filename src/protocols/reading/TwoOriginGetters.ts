import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import { askGetterOnce, type DatedAnswer, type GetterAnswer } from "../../chain/Getter.ts"
import { currentPin } from "../../chain/Pin.ts"
import { othersOf } from "../../chain/RpcOrigin.ts"
import type { TwoOriginGetter } from "../kit/Question.ts"

/** The answer of a getter, and whether it needs no other origin: another one returned it too, on the same ledger or a later one. */
export interface OriginsAnswer {
  readonly answer: GetterAnswer
  readonly isSettled: boolean
}

/** One answer of two: what fails at either has failed. */
export const combinedAnswer = ({ larger }: TwoOriginGetter, one: GetterAnswer, other: GetterAnswer): GetterAnswer => {
  if (one._tag === "Failed") return one
  return other._tag === "Failed" ? other : { _tag: "Returned", value: larger(one.value, other.value) }
}

/** Waits for an answer as long as facts that can be done without may take; none: it did not come. */
type InTime = (answer: Effect.Effect<DatedAnswer, ChainFailure>) => Effect.Effect<Option.Option<DatedAnswer>>

/**
 * Calls getters at two origins: the request's own, then another. If that one does not answer or is behind, the next one is queried. An
 * origin that failed to answer once is not queried again.
 */
export const twoOriginGetters = (rpc: Pick<ContractRpc["Type"], "origins" | "simulateTransaction">, inTime: InTime) => {
  const silent = new Set<string>()
  return (getter: TwoOriginGetter, unanswered: GetterAnswer): Effect.Effect<OriginsAnswer> =>
    Effect.gen(function*() {
      const own = Option.getOrNull(yield* inTime(askGetterOnce(rpc, getter)))
      if (own === null) return { answer: unanswered, isSettled: true }
      let answer = own.answer
      for (const origin of othersOf(rpc.origins, yield* currentPin)) {
        if (answer._tag === "Failed") break
        if (silent.has(origin.name)) continue
        const other = Option.getOrNull(yield* inTime(askGetterOnce(origin, getter, { origin: origin.name })))
        if (other === null) {
          silent.add(origin.name)
          continue
        }
        answer = combinedAnswer(getter, answer, other.answer)
        if (other.ledger >= own.ledger) return { answer, isSettled: true }
      }
      return { answer, isSettled: answer._tag === "Failed" }
    })
}
