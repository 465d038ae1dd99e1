import { HttpClient } from "@effect/platform"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer } from "effect"
import type { NetworkAddress } from "../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { Submission } from "../../src/close/submit/Submission.ts"
import { Networks, type ServedNetwork } from "../../src/Networks.ts"
import { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import { ExchangeRegistry } from "../../src/registry/ExchangeRegistry.ts"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../src/sandbox/InMemoryTransport.ts"
import { Network, type NetworkOptions } from "../../src/sandbox/Network.ts"
import type { Upstream } from "./Upstream.ts"

export const noExchange = ExchangeRegistry.layerValue({
  version: "1",
  lastVerified: "1970-01-01",
  validUntil: "2099-12-31",
  source: "none",
  entries: []
})

/** The configured exchanges, and the mediator that pays them. */
const noMediator = { registry: noExchange, mediator: MediatorSigner.layerNone }

/** The production stack of `testnet` over sources at these addresses. */
export const testnetOver = (
  passphrase: string,
  { ledgerApiUrls, rpcUrls }: Pick<NetworkAddress, "rpcUrls" | "ledgerApiUrls">,
  { contracts, mediator }: Pick<ServedNetwork, "contracts" | "mediator">
) => Networks.layer([{ address: { network: "testnet", passphrase, rpcUrls, ledgerApiUrls, sandbox: true }, mediator, contracts }])

/** The production stack of one network over a sandbox in this process, without a socket, on the clock of its context. */
export const inMemory = (
  between: Upstream["between"] = (_, send) => send,
  options: Partial<NetworkOptions> = {},
  contracts = ContractAddresses.layerNone,
  { mediator, registry } = noMediator
) => {
  const transport = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(inMemoryTransport, HttpClient.transform((send, request) => between(request, send)))
  )
  const sources = { rpcUrls: [new URL("http://sandbox.invalid/rpc")], ledgerApiUrls: [new URL("http://sandbox.invalid/")] } as const
  const networks = Layer.unwrapEffect(Effect.map(Network, ({ passphrase }) => testnetOver(passphrase, sources, { contracts, mediator })))
  return networks.pipe(
    Layer.provide([transport, registry, NodeFileSystem.layer]),
    Layer.provide(Friendbot.layer),
    Layer.provideMerge(Network.layer(options))
  )
}

export const onTestnet = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flatMap(Networks, ({ on }) => on("testnet")(effect))

export const submitted = (envelope: string) => onTestnet(Effect.flatMap(Submission, (submission) => submission.submit(envelope)))
