import { HttpClient } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import { tokens } from "../../../scripts/bench/Tokens.ts"
import { AccountReader } from "../../../src/account/AccountReader.ts"
import { ContractRpc } from "../../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../../src/chain/LedgerEntries.ts"
import { NetworkSettings } from "../../../src/chain/NetworkSettings.ts"
import { Coverage } from "../../../src/protocols/Coverage.ts"
import { ProtocolRegistry } from "../../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses } from "../../../src/registry/ContractAddresses.ts"
import { makeFaults } from "../../../src/sandbox/faults/Faults.ts"
import { Friendbot } from "../../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import type { Between } from "./World.ts"

const [faulty, sound] = ["http://faulty.invalid", "http://sound.invalid"] as const

const rpc = (origin: string) => new URL(`${origin}/rpc`)
const api = (origin: string) => new URL(`${origin}/`)

/**
 * A freshly started reader over the context's sandbox network. Each source has one endpoint with the network's faults, or also a second one
 * without faults.
 */
export const freshReader = (second: boolean, between: Between = (_, send) => send) =>
  Effect.gen(function*() {
    const network = yield* Network
    const beside = Context.get(yield* Layer.build(Layer.succeed(Network, { ...network, faults: yield* makeFaults })), Network)
    const [throughFaults, without] = [yield* inMemoryTransport, yield* Effect.provideService(inMemoryTransport, Network, beside)]
    const client = HttpClient.make((request, url) =>
      between(request, url.origin === sound ? without.execute(request) : throughFaults.execute(request))
    )
    const settings = {
      network: "testnet" as const,
      passphrase: network.passphrase,
      rpcUrls: second ? [rpc(faulty), rpc(sound)] as const : [rpc(faulty)] as const,
      ledgerApiUrls: second ? [api(faulty), api(sound)] as const : [api(faulty)] as const,
      sandbox: true
    }
    const stack = AccountReader.layer.pipe(
      Layer.provide(tokens),
      Layer.provide(Coverage.layer),
      Layer.provide(ProtocolRegistry.layer),
      Layer.provide(LedgerEntries.layer),
      Layer.provideMerge(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
      Layer.provide([Layer.succeed(NetworkSettings, settings), Layer.succeed(HttpClient.HttpClient, client)]),
      Layer.provide(ContractAddresses.layerNone)
    )
    return yield* Layer.build(Layer.fresh(stack))
  })

/** A sandbox network without a socket. */
export const sandbox = () => Friendbot.layer.pipe(Layer.provideMerge(Network.layer()))
