import { type HttpApp, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { ControlApp } from "./ControlApp.ts"
import type { Friendbot } from "./Friendbot.ts"
import { FriendbotApp } from "./FriendbotApp.ts"
import type { Network } from "./Network.ts"
import { RestApp } from "./rest/RestApp.ts"
import { RpcApp } from "./rpc/RpcApp.ts"

/** Everything a network answers over HTTP: the contract RPC at `/rpc`, the ledger API at the root. Needs no socket. */
export const SandboxApp: HttpApp.Default<never, Network | Friendbot> = Effect.flatMap(
  HttpServerRequest.HttpServerRequest,
  ({ url }): HttpApp.Default<never, Network | Friendbot> => {
    const [, first] = new URL(url, "http://localhost").pathname.split("/")
    switch (first) {
      case "rpc":
        return RpcApp
      case "friendbot":
        return FriendbotApp
      case "sandbox":
        return ControlApp
      default:
        return RestApp
    }
  }
)
