import { type HttpApp, HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { ControlApp } from "./ControlApp.ts"
import { type ApiRequest, readRestRequest, readRpcRequest } from "./faults/ApiRequest.ts"
import type { ConnectionCut } from "./faults/Connection.ts"
import { noFaults, type RequestFaults } from "./faults/Faults.ts"
import type { Friendbot } from "./Friendbot.ts"
import { FriendbotApp } from "./FriendbotApp.ts"
import { Network } from "./Network.ts"
import { restApp } from "./rest/RestApp.ts"
import { RpcApp } from "./rpc/RpcApp.ts"
import { ServerLimits } from "./rpc/ServerLimits.ts"

/** Fault injection: an API behind the rules in force, which respond in its place, or delay, age or rewrite its responses. */
const faultyApp = <R, S>(
  readRequest: Effect.Effect<ApiRequest, never, R>,
  app: (faults: RequestFaults) => HttpApp.Default<never, S>
): HttpApp.Default<ConnectionCut, R | S | Network> =>
  Effect.gen(function*() {
    const { faults } = yield* Network
    // Most networks have no rules, and then the request need not be read.
    if ((yield* faults.all).length === 0) return yield* app(noFaults)
    const met = yield* Effect.flatMap(readRequest, faults.ofRequest)
    const { answer, arms, delay } = met
    if (delay > 0) yield* Effect.sleep(delay)
    if (Option.isNone(answer)) return arms.reduce((response, fault) => fault.rewrite(response), yield* app(met))
    const fault = answer.value
    if ("passes" in fault && (yield* fault.passes)) return yield* app(met)
    if ("afterwards" in fault && fault.afterwards === true) yield* Effect.asVoid(app(met))
    return yield* fault.answer(yield* readRequest)
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
        readRpcRequest,
        (faults) => faults === noFaults ? RpcApp : Effect.provideService(RpcApp, ServerLimits, faults)
      )
    case "friendbot":
      return FriendbotApp
    case "sandbox":
      return ControlApp
    default:
      return faultyApp(readRestRequest, ({ lag }) => restApp(lag))
  }
})
