import { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { NetworkSettings } from "../../src/chain/NetworkSettings.ts"
import { Coverage } from "../../src/protocols/Coverage.ts"
import { ProtocolRegistry } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { tokens } from "./Tokens.ts"
import type { Upstream } from "./Upstream.ts"

/** A network over sources without a socket, with contract RPCs of these origins. */
export const settingsOf = (...origins: readonly [string, ...ReadonlyArray<string>]) => {
  const [first, ...others] = origins.map((origin) => new URL("/rpc", origin))
  return Layer.effect(
    NetworkSettings,
    Effect.map(Network, ({ passphrase }) => ({
      network: "testnet" as const,
      passphrase,
      rpcUrls: [first ?? new URL("http://sandbox.invalid/rpc"), ...others] as const,
      ledgerApiUrls: [new URL("http://sandbox.invalid/")] as const,
      sandbox: true
    }))
  )
}

/** The same with one contract RPC. */
export const settings = settingsOf("http://sandbox.invalid")

/** The reader of accounts over a sandbox in this process, without a socket, with the addresses of the deployed protocols. */
export const readerOn = ({ between }: Upstream, contracts: Layer.Layer<ContractAddresses> = ContractAddresses.layerNone) =>
  AccountReader.layer.pipe(
    Layer.provide(tokens),
    Layer.provide(Coverage.layer),
    Layer.provide(ProtocolRegistry.layer),
    Layer.provide(LedgerEntries.layer),
    Layer.provide(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
    Layer.provide(settings),
    Layer.provide(
      Layer.effect(HttpClient.HttpClient, Effect.map(inMemoryTransport, HttpClient.transform((send, request) => between(request, send))))
    ),
    Layer.provide(contracts),
    Layer.provide(Friendbot.layer)
  )

/** The same over a sandbox of its own. */
export const readerOver = (upstream: Upstream, contracts?: Layer.Layer<ContractAddresses>) =>
  Layer.provideMerge(readerOn(upstream, contracts), Network.layer())
