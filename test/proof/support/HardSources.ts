import { Effect } from "effect"
import type { Serving } from "../../../src/serving/Serving.ts"
import { limitedProxy } from "../../cli/support/LimitedProxy.ts"
import { listeningServer } from "../../support/ListeningServer.ts"

/** The sources of a service: the first contract RPC never answers, and all others answer this many calls a second and reject the rest. */
export const hardSources = (perSecond: number) =>
  Effect.gen(function*() {
    const silent = yield* listeningServer(() => new Promise(() => {}))
    const limited = (url: URL) =>
      Effect.map(limitedProxy(url.href, perSecond), (proxy) => new URL(`${proxy.url}${url.pathname === "/" ? "" : url.pathname}`))
    return (serving: Serving["Type"]) =>
      Effect.map(
        Effect.forEach(serving.networks, (network) =>
          Effect.map(
            Effect.all([limited(network.address.rpcUrls[0]), Effect.forEach(network.address.ledgerApiUrls.slice(0, 1), limited)]),
            ([rpc, ledgerApiUrls]) => ({
              ...network,
              address: { ...network.address, rpcUrls: [silent, rpc] as const, ledgerApiUrls }
            })
          )),
        (networks): Serving["Type"] => ({ ...serving, networks })
      )
  })
