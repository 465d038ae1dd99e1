import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { NetworkSettings } from "../../src/chain/NetworkSettings.ts"
import { NewestEntries } from "../../src/chain/witness/NewestEntries.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { jumping } from "../support/JumpingClock.ts"

/** Nothing listens there. */
const dead = "http://127.0.0.1:1"

const reader = (passphrase: string, ...urls: readonly [string, ...ReadonlyArray<string>]) => {
  const [first, ...others] = urls
  const address = {
    network: "testnet",
    passphrase,
    rpcUrls: [new URL(first), ...others.map((url) => new URL(url))],
    ledgerApiUrls: [new URL(first)],
    sandbox: false
  } as const
  return Effect.map(
    Layer.build(
      Layer.fresh(NewestEntries.layer.pipe(Layer.provide(ContractRpc.layer))).pipe(
        Layer.provide(Layer.succeed(NetworkSettings, { ...address, rpcUrls: [...address.rpcUrls] })),
        Layer.provide(NodeHttpClient.layerUndici)
      )
    ),
    (services) => Effect.provide(NewestEntries, services)
  )
}

describe("the newest entries", () => {
  it.scopedLive("are those of the endpoint that is ahead, whatever the order and whoever is down", () =>
    Effect.gen(function*() {
      const [behind, ahead] = [yield* startSandbox(), yield* startSandbox()]
      const account = Keypair.random()
      for (const { network } of [behind, ahead]) yield* Effect.provideService(fund("5", account), Network, network)
      for (let closed = 0; closed < 3; closed += 1) yield* ahead.network.closeLedger()
      const { state } = yield* ahead.network.snapshot
      const key = accountKey(AccountAddress.make(account.publicKey()))
      for (
        const urls of [[behind.rpcUrl, ahead.rpcUrl], [ahead.rpcUrl, behind.rpcUrl], [dead, behind.rpcUrl, ahead.rpcUrl], [
          ahead.rpcUrl
        ]] as const
      ) {
        const [first, ...others] = urls
        const { read } = yield* Effect.flatten(reader(ahead.passphrase, first, ...others))
        const { entries, header } = yield* read([key])
        assert.strictEqual(header.sequence, state.header.ledgerSeq)
        assert.lengthOf(entries, 1)
      }
    }).pipe(Effect.provide(jumping)))

  it.scopedLive("are never those of another network, and a failure where nobody answers", () =>
    Effect.gen(function*() {
      const [ours, other] = [yield* startSandbox(), yield* startSandbox({ passphrase: "another network" })]
      for (let closed = 0; closed < 5; closed += 1) yield* other.network.closeLedger()
      const key = accountKey(AccountAddress.make(ours.network.root.publicKey()))
      const { read } = yield* Effect.flatten(reader(ours.passphrase, other.rpcUrl, ours.rpcUrl))
      assert.strictEqual((yield* read([key])).header.sequence, (yield* ours.network.snapshot).state.header.ledgerSeq)
      const { read: nobody } = yield* Effect.flatten(reader(ours.passphrase, dead, dead))
      assert.strictEqual((yield* Effect.flip(nobody([key])))._tag, "NetworkUnavailable")
    }).pipe(Effect.provide(jumping)))
})
