import type { HttpApp } from "@effect/platform"
import { Effect, Option } from "effect"
import { Network } from "../Network.ts"
import type { Asked } from "./Asked.ts"
import type { ConnectionCut } from "./ConnectionCut.ts"
import { type RequestFaults, unharmed } from "./Faults.ts"

/** An API behind the faults that are set: some answer in its place, the others say how late its answer is, how old, and of which kind. */
export const faultyApp = <R, S>(
  asked: Effect.Effect<Asked, never, R>,
  app: (faults: RequestFaults) => HttpApp.Default<never, S>
): HttpApp.Default<ConnectionCut, R | S | Network> =>
  Effect.gen(function*() {
    const { faults } = yield* Network
    // Most networks have none, and then nobody has to know what is asked for.
    if ((yield* faults.all).length === 0) return yield* app(unharmed)
    const met = yield* Effect.flatMap(asked, faults.ofRequest)
    const { answer, arms, delay } = met
    if (delay > 0) yield* Effect.sleep(delay)
    if (Option.isNone(answer)) return arms.reduce((told, fault) => fault.rewrite(told), yield* app(met))
    const fault = answer.value
    if ("passes" in fault && (yield* fault.passes)) return yield* app(met)
    if ("afterwards" in fault && fault.afterwards === true) yield* Effect.asVoid(app(met))
    return yield* fault.answer(yield* asked)
  })
