import type { HttpApp } from "@effect/platform"
import { Effect, Option } from "effect"
import { Network } from "../Network.ts"
import type { Asked } from "./Asked.ts"
import type { ConnectionCut } from "./ConnectionCut.ts"

/** An API behind the faults that are set: some answer in its place, the others say how late and how old its answer is. */
export const faultyApp = <R, S>(
  asked: Effect.Effect<Asked, never, R>,
  app: (ledgersBehind: number) => HttpApp.Default<never, S>
): HttpApp.Default<ConnectionCut, R | S | Network> =>
  Effect.gen(function* () {
    const { faults } = yield* Network
    const { answer, delay, lag } = yield* Effect.flatMap(asked, faults.ofRequest)
    if (delay > 0) yield* Effect.sleep(delay)
    if (Option.isNone(answer)) return yield* app(lag)
    const fault = answer.value
    if ("afterwards" in fault && fault.afterwards === true) yield* app(lag)
    return yield* fault.answer(yield* asked)
  })
