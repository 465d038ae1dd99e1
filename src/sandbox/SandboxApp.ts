import { type HttpApp, HttpServerRequest } from "@effect/platform"
import { Context, Effect } from "effect"
import { ControlApp } from "./ControlApp.ts"
import { askedOfRest, askedOfRpc } from "./faults/Asked.ts"
import type { ConnectionCut } from "./faults/ConnectionCut.ts"
import { unharmed } from "./faults/Faults.ts"
import { faultyApp } from "./faults/FaultyApp.ts"
import type { Friendbot } from "./Friendbot.ts"
import { FriendbotApp } from "./FriendbotApp.ts"
import type { Network } from "./Network.ts"
import { restApp } from "./rest/RestApp.ts"
import { ArchivalSupport } from "./rpc/ArchivalSupport.ts"
import { EventWork } from "./rpc/EventWork.ts"
import { RpcApp } from "./rpc/RpcApp.ts"

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
