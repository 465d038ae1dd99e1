import { Duration, Effect, Either, Option } from "effect"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import { askGetterOnce, type GetterAnswer, getterText } from "../../chain/Getter.ts"
import { currentPin } from "../../chain/Pin.ts"
import { longestAnswer } from "../../chain/RpcPolicy.ts"
import { newUntrustedCalls, type SlowCalls, untrustedConcurrency } from "../../chain/UntrustedCalls.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import type { UntrustedGetter } from "../kit/Question.ts"

/** The longest wait for one answer, with the wait for a turn at the source. */
const patience = Duration.seconds(4)

/** A call that takes this long is slow. */
const slowAnswer = Duration.seconds(1)

/** Slow calls of one loop: each of those called side by side may hang once. */
const mostInLoop = untrustedConcurrency

/** Slow calls of one request: what a reading of all positions leaves serves their exits. */
const mostInRequest = 2 * mostInLoop

/** How long all calls of one request may take, the sum in milliseconds. */
const mostTime = untrustedConcurrency * Duration.toMillis(patience)

/** The same for those that answered before: an exit is read more than once, and others that hang do not change it. */
const mostTimeAgain = 2 * mostTime

/** Calls a getter within the limits of its loop and its request. None: it does not answer in time, or not at all. */
export type UntrustedQuery = (getter: UntrustedGetter) => Effect.Effect<Option.Option<GetterAnswer>>

/** Whether one more call stays within a limit of slow ones, even if all that have no answer yet are slow. */
const mayCall = ({ open, slow }: SlowCalls, most: number): boolean => open + slow < most

/**
 * The query of one loop for getters of code that anyone may have written. A stranger can give an account any number of positions that call
 * such code, and it may never answer.
 */
export const untrustedQuery = (rpc: Pick<ContractRpc["Type"], "simulateTransaction">): Effect.Effect<UntrustedQuery> =>
  Effect.map(currentPin, (pin) => {
    const request = pin?.untrusted ?? newUntrustedCalls()
    const loop: SlowCalls = { open: 0, slow: 0 }
    const call = (getter: UntrustedGetter) =>
      Effect.gen(function*() {
        const began = yield* steadyMillis
        const answered = yield* Effect.timeoutOption(Effect.either(askGetterOnce(rpc, getter, { brief: longestAnswer })), patience)
        const took = (yield* steadyMillis) - began
        request.spent += took
        for (const calls of took < Duration.toMillis(slowAnswer) ? [] : [loop, request]) calls.slow++
        return Option.flatMap(answered, (answer) => {
          if (Either.isRight(answer)) {
            request.prompt.add(getterText(getter))
            return Option.some(answer.right.answer)
          }
          if (answer.left._tag === "DeadlineExceeded") request.silent.add(getterText(getter))
          return Option.none()
        })
      })
    const ask = (getter: UntrustedGetter) =>
      Effect.suspend(() => {
        const text = getterText(getter)
        const isInTime = request.prompt.has(text)
          ? request.spent < mostTimeAgain
          : request.spent < mostTime && mayCall(loop, mostInLoop) && mayCall(request, mostInRequest)
        if (!isInTime || request.silent.has(text)) return Effect.succeedNone
        for (const calls of [loop, request]) calls.open++
        const end = Effect.sync(() => {
          for (const calls of [loop, request]) calls.open--
        })
        return Effect.ensuring(call(getter), end)
      })
    return (getter) => request.turns.withPermits(1)(ask(getter))
  })
