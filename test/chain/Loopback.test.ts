import { FetchHttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { Network, sandboxPassphrase } from "../../src/sandbox/Network.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { settings } from "./support/Scripted.ts"

const clients = { fetch: FetchHttpClient.layer, undici: NodeHttpClient.layerUndici, node: NodeHttpClient.layer }

/** The chain room talking to a sandbox over a socket. */
const overSocket = (client: (typeof clients)[keyof typeof clients]) =>
  Layer.unwrapEffect(
    Effect.map(Sandbox, ({ ledgerApiUrl, rpcUrl }) =>
      LedgerEntries.layer.pipe(
        Layer.provideMerge(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
        Layer.provide([client, settings([new URL(rpcUrl)], [new URL(ledgerApiUrl)], sandboxPassphrase)])
      ))
  ).pipe(Layer.provideMerge(Sandbox.layer()))

describe("over a socket", () => {
  for (const [name, client] of Object.entries(clients)) {
    it.live(`both sources answer through the ${name} client`, () =>
      Effect.gen(function*() {
        const { network } = yield* Sandbox
        const { source } = yield* Effect.provideService(FundedPair, Network, network)
        const address = AccountAddress.make(source.publicKey())
        const live = yield* (yield* LedgerEntries).one(accountKey(address))
        const listed = yield* (yield* LedgerApi).account(address)
        assert.isTrue(Option.isSome(live) && Option.isSome(listed))
        assert.strictEqual((yield* (yield* ContractRpc).latestLedger).sequence, (yield* network.snapshot).state.header.ledgerSeq)
        assert.strictEqual((yield* (yield* ContractRpc).endpoints)[0]?.health, "healthy")
      }).pipe(Effect.provide(overSocket(client))))
  }
})
