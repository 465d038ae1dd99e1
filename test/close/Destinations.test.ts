import { HttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Redacted, TestClock } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { NetworkSettings } from "../../src/chain/NetworkSettings.ts"
import { Destinations } from "../../src/close/read/Destinations.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import type { DestinationReport } from "../../src/domain/Destination.ts"
import { MuxedAddress } from "../../src/domain/DestinationAddress.ts"
import type { RegistryEntry } from "../../src/domain/RegistryDocument.ts"
import { ExchangeRegistry } from "../../src/registry/ExchangeRegistry.ts"
import { CutConnection } from "../../src/sandbox/faults/Connection.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { muxedOf } from "./support/Muxed.ts"

const addressOf = (keys: Keypair) => AccountAddress.make(keys.publicKey())

/** Destinations over the sandbox of the context, with these listed. */
const destinationsOver = (entries: ReadonlyArray<RegistryEntry>, mediator = MediatorSigner.layerNone) =>
  Effect.gen(function*() {
    const { passphrase } = yield* Network
    const url = new URL("http://sandbox.invalid/rpc")
    const stack = Destinations.layer.pipe(
      Layer.provide(LedgerEntries.layer),
      Layer.provide(ContractRpc.layer),
      Layer.provide([
        Layer.succeed(NetworkSettings, { network: "testnet", passphrase, rpcUrls: [url], ledgerApiUrls: [url], sandbox: true }),
        Layer.succeed(HttpClient.HttpClient, yield* inMemoryTransport),
        ExchangeRegistry.layerValue({ version: "1", lastVerified: "1970-01-01", validUntil: "1970-01-02", source: "test", entries }),
        mediator
      ])
    )
    return Context.get(yield* Layer.build(Layer.fresh(stack)), Destinations)
  })

const sandbox = () => Friendbot.layer.pipe(Layer.provideMerge(Network.layer()))

const nothing = {
  kind: "account",
  requiresMediator: false,
  requiresMemo: false,
  memoType: "none",
  memoRequiredByAccount: false,
  name: null,
  registryFresh: true,
  mediatorAvailable: false,
  mediator: null
} as const

describe("a destination", () => {
  it.scoped("is an account", () =>
    Effect.gen(function*() {
      const { destination } = yield* FundedPair
      const { describe } = yield* destinationsOver([])
      assert.deepStrictEqual(yield* describe(addressOf(destination)), { ...nothing, address: addressOf(destination) })
    }).pipe(Effect.provide(sandbox())))

  it.scoped("is unfunded where no account is", () =>
    Effect.gen(function*() {
      const { describe } = yield* destinationsOver([])
      const nobody = addressOf(Keypair.random())
      assert.deepStrictEqual(yield* describe(nobody), { ...nothing, address: nobody, kind: "unfunded" })
    }).pipe(Effect.provide(sandbox())))

  it.scoped("may ask for a memo itself, by a data entry of exactly 1", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* FundedPair
      yield* perform("asks", { as: destination, operations: [Operation.manageData({ name: "config.memo_required", value: "1" })] })
      yield* perform("does not", { as: source, operations: [Operation.manageData({ name: "config.memo_required", value: "0" })] })
      const { describe } = yield* destinationsOver([])
      assert.isTrue((yield* describe(addressOf(destination))).memoRequiredByAccount)
      assert.isFalse((yield* describe(addressOf(source))).memoRequiredByAccount)
    }).pipe(Effect.provide(sandbox())))

  it.scoped("is an exchange where the registry lists it, fresh or expired, with what it needs", () =>
    Effect.gen(function*() {
      const { destination } = yield* FundedPair
      const address = addressOf(destination)
      const listing: RegistryEntry = {
        address,
        name: "Exchange",
        domain: "exchange.example",
        requiresMediator: true,
        requiresMemo: true,
        memoType: "id"
      }
      const mediator = Keypair.random()
      const { describe } = yield* destinationsOver([listing], MediatorSigner.layerSecret(Redacted.make(mediator.secret())))
      const expected: DestinationReport = {
        ...nothing,
        address,
        kind: "exchange",
        requiresMediator: true,
        requiresMemo: true,
        memoType: "id",
        name: "Exchange",
        mediatorAvailable: true,
        mediator: addressOf(mediator)
      }
      assert.deepStrictEqual(yield* describe(address), expected)
      yield* TestClock.setTime(2 * 86_400_000)
      assert.deepStrictEqual(yield* describe(address), { ...expected, registryFresh: false })
    }).pipe(Effect.provide(sandbox())))

  it.scoped("may be an id behind an account: it is that of its account, no memo goes beside it, and an exchange may not take it", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* FundedPair
      yield* perform("asks", { as: destination, operations: [Operation.manageData({ name: "config.memo_required", value: "1" })] })
      const listing: RegistryEntry = {
        address: addressOf(source),
        name: "Exchange",
        domain: "exchange.example",
        requiresMediator: false,
        requiresMemo: true,
        memoType: "id"
      }
      const { describe } = yield* destinationsOver([listing])
      const own = MuxedAddress.make(muxedOf(destination.publicKey(), 7n))
      assert.deepStrictEqual(yield* describe(own), { ...nothing, address: own, muxedProblem: null })
      const listed = yield* describe(MuxedAddress.make(muxedOf(source.publicKey(), 7n)))
      assert.deepInclude(listed, { kind: "exchange", name: "Exchange", requiresMemo: true })
      assert.include(listed.muxedProblem, "Exchange is not known to credit muxed addresses")
    }).pipe(Effect.provide(sandbox())))

  it.scoped("is not called unfunded when nobody could be asked", () =>
    Effect.gen(function*() {
      const { faults } = yield* Network
      const { describe } = yield* destinationsOver([])
      yield* faults.set({ fault: new GarbageBody({}), rpc: "getLedgerEntries" })
      assert.strictEqual((yield* Effect.flip(describe(addressOf(Keypair.random()))))._tag, "UpstreamUnusable")
      yield* faults.clear()
      yield* faults.set({ fault: new CutConnection({}), rpc: "getLedgerEntries", times: 1 })
      const fiber = yield* Effect.fork(describe(addressOf(Keypair.random())))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* fiber).kind, "unfunded")
    }).pipe(Effect.provide(sandbox())))
})
