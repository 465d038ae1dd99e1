import { type HttpApp, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { ControlApp } from "./ControlApp.ts"
import { type Asked, askedOfRest, askedOfRpc } from "./faults/ApiRequest.ts"
import type { ConnectionCut } from "./faults/Connection.ts"
import { type RequestFaults, unharmed } from "./faults/Faults.ts"
import type { Friendbot } from "./Friendbot.ts"
import { FriendbotApp } from "./FriendbotApp.ts"
import { Network } from "./Network.ts"
import { restApp } from "./rest/RestApp.ts"
import { ArchivalSupport } from "./rpc/ArchivalSupport.ts"
import { EventWork } from "./rpc/EventWork.ts"
import { RpcApp } from "./rpc/RpcApp.ts"

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

type App = HttpApp.Default<ConnectionCut, Network | Friendbot>

/**
 * Everything a network answers over HTTP: the contract RPC at `/rpc`, the ledger API at the root, both behind the faults
 * that are set. Needs no socket; fails when the connection is to be dropped.
 */
export const SandboxApp: App = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }): App => {
  const [, first] = new URL(url, "http://localhost").pathname.split("/")
  switch (first) {
    case "rpc":
      return faultyApp(
        askedOfRpc,
        (faults) =>
          faults === unharmed ? RpcApp : Effect.provide(RpcApp, Context.add(Context.make(ArchivalSupport, faults), EventWork, faults))
      )
    case "friendbot":
      return FriendbotApp
    case "sandbox":
      return ControlApp
    default:
      return faultyApp(askedOfRest, ({ lag }) => restApp(lag))
  }
})
