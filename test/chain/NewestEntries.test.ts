import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { NetworkSettings } from "../../src/chain/NetworkSettings.ts"
import { NewestEntries } from "../../src/chain/witness/NewestEntries.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { Hang, Latency } from "../../src/sandbox/faults/Connection.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { rpcEndpoint } from "../close/support/Sources.ts"
import { jumping, secondsOf } from "../support/JumpingClock.ts"

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

/** Three contract RPCs in front of one network, of which two are used or all, and the key of an account there. */
const several = Effect.gen(function*() {
  const { network, passphrase } = yield* startSandbox()
  const account = Keypair.random()
  yield* Effect.provideService(fund("5", account), Network, network)
  const [one, other, third] = [yield* rpcEndpoint(network), yield* rpcEndpoint(network), yield* rpcEndpoint(network)]
  return {
    other,
    third,
    ofThree: yield* Effect.flatten(reader(passphrase, one.url.href, other.url.href, third.url.href)),
    key: accountKey(AccountAddress.make(account.publicKey())),
    newest: Effect.map(network.snapshot, ({ state }) => state.header.ledgerSeq),
    close: Effect.replicateEffect(network.closeLedger(), 2, { discard: true }),
    ...(yield* Effect.flatten(reader(passphrase, one.url.href, other.url.href)))
  }
})

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
      const { all: none, read: nobody } = yield* Effect.flatten(reader(ours.passphrase, dead, dead))
      assert.strictEqual((yield* Effect.flip(nobody([key])))._tag, "NetworkUnavailable")
      assert.strictEqual((yield* Effect.flip(none([key])))._tag, "NetworkUnavailable")
    }).pipe(Effect.provide(jumping)))

  it.scopedLive("wait a second for endpoints that hang", () =>
    Effect.gen(function*() {
      const { key, newest, ofThree, other, third } = yield* several
      for (const { faults } of [other, third]) yield* faults.set({ fault: new Hang({}), rpc: "*" })
      const [{ entries, header }, took] = yield* secondsOf(ofThree.read([key]))
      assert.deepStrictEqual([header.sequence, entries.length, took], [yield* newest, 1, 1])
    }).pipe(Effect.provide(jumping)))
})

describe("what each endpoint shows", () => {
  it.scopedLive("is of its own ledger, and at least of the older of its two answers", () =>
    Effect.gen(function*() {
      const { all, close, key, newest, other } = yield* several
      const before = yield* newest
      const { is, told } = yield* other.stuck(Effect.zipRight(close, Effect.all({ told: all([key]), is: newest })))
      assert.deepStrictEqual(told.map(({ ledger }) => ledger), [is, before])
      assert.deepStrictEqual(told.map(({ entries }) => entries.length), [1, 1])
      for (const [entriesOf, expected] of [[is + 2, is], [is - 1, is - 1]] as const) {
        const said = yield* other.lying(
          (method, result) => (method === "getLedgerEntries" ? { ...result, latestLedger: entriesOf } : result),
          all([key])
        )
        assert.deepStrictEqual(said.map(({ ledger }) => ledger), [is, expected])
      }
    }).pipe(Effect.provide(jumping)))

  it.scopedLive("is waited for three seconds, once one has answered", () =>
    Effect.gen(function*() {
      const { all, key, other } = yield* several
      yield* other.faults.set({ fault: new Hang({}), rpc: "getLatestLedger" })
      assert.deepStrictEqual(yield* secondsOf(Effect.map(all([key]), ({ length }) => length)), [1, 3])
      yield* other.faults.clear()
      yield* other.faults.set({ fault: new Latency({ millis: 2_000 }), rpc: "getLedgerEntries" })
      yield* other.faults.set({ fault: new Latency({ millis: 2_000 }), rpc: "getLatestLedger" })
      assert.deepStrictEqual(yield* secondsOf(Effect.map(all([key]), ({ length }) => length)), [2, 2])
    }).pipe(Effect.provide(jumping)))
})
