import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer, Struct } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { OwnLedgers } from "../../src/chain/rpc-only/OwnLedgers.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { GarbageBody, UnknownArms } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { layer as inMemory } from "../../src/sandbox/InMemoryTransport.ts"
import { Network, type NetworkOptions, sandboxPassphrase } from "../../src/sandbox/Network.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { distinctKeys, keyText } from "../../src/xdr/LedgerKeys.ts"
import { settings } from "./support/Scripted.ts"

const sandbox = (options: Partial<NetworkOptions> = {}) =>
  OwnLedgers.layer.pipe(
    Layer.provideMerge(LedgerEntries.layer),
    Layer.provideMerge(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
    Layer.provide([inMemory, settings([new URL("http://sandbox.invalid/rpc")], [new URL("http://sandbox.invalid/")], sandboxPassphrase)]),
    Layer.provide(Friendbot.layer),
    Layer.provideMerge(Network.layer(options))
  )

const addressOf = (keys: Keypair) => AccountAddress.make(keys.publicKey())

const pastOf = (keys: Keypair) => Effect.flatMap(OwnLedgers, (own) => own.of(addressOf(keys)))

const data = (name: string) => Operation.manageData({ name, value: "1" })

describe("the own transactions of an account, by the contract RPC alone", () => {
  it.effect("are those that the ledger API lists, failed ones too, and name every entry that they made", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* DemoAccount
      yield* Effect.flip(perform("a payment of more than it has", {
        as: source,
        operations: [Operation.payment({ destination: destination.publicKey(), asset: Asset.native(), amount: "100000" })]
      }))
      yield* perform("a payment to it", {
        as: destination,
        operations: [Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "1" })]
      })
      const api = yield* LedgerApi
      const listed = (yield* api.history(addressOf(source), {})).filter((one) => one.source_account === source.publicKey())
      const { end, keys, records } = yield* pastOf(source)
      assert.strictEqual(end, "start")
      assert.deepStrictEqual(records.map(Struct.omit("result_xdr")), listed)
      assert.deepStrictEqual(records.map(({ successful }) => successful), [false, true, true, true])
      const entries = yield* LedgerEntries
      const distinct = distinctKeys(keys)
      const live = (yield* entries.many(distinct)).filter(({ _tag }) => _tag === "Some")
      // The account, three lines, three offers and five data entries.
      assert.lengthOf(live, 12)
    }).pipe(Effect.provide(sandbox())))

  it.effect("are found behind a ledger in which another's transaction used the number", () =>
    Effect.gen(function*() {
      const { destination: other, source } = yield* FundedPair
      yield* perform("a data entry", { as: source, operations: [data("one")] })
      yield* perform("the other raises its sequence number", {
        as: other,
        signedBy: [other, source],
        operations: [
          Operation.bumpSequence({ bumpTo: "99999999999999", source: source.publicKey() }),
          Operation.manageData({
            name: "two",
            value: "1",
            source: source.publicKey()
          })
        ]
      })
      const { end, keys, records } = yield* pastOf(source)
      assert.deepStrictEqual([end, records.length], ["start", 1])
      assert.strictEqual(new Set(keys.map(keyText)).size, 3)
    }).pipe(Effect.provide(sandbox())))

  it.effect("end where the endpoint keeps none before", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      const { closeLedger } = yield* Network
      for (const name of ["one", "two", "three"]) {
        yield* perform("a data entry", { as: source, operations: [data(name)] })
        yield* Effect.replicateEffect(closeLedger(), 4)
      }
      const { end, records, since } = yield* pastOf(source)
      assert.deepStrictEqual([end, records.length], ["retention", 2])
      // From the ledger after its first own transaction on.
      assert.strictEqual(since, (records.at(-1)?.ledger ?? 0) - 4)
    }).pipe(Effect.provide(sandbox({ retention: 12 }))))

  it.effect("are none of an account that has made none, or that is not there", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      assert.deepStrictEqual(yield* pastOf(source), { records: [], keys: [], end: "start", since: 0 })
      assert.deepStrictEqual(yield* pastOf(Keypair.random()), { records: [], keys: [], end: "start", since: 0 })
    }).pipe(Effect.provide(sandbox())))

  it.effect("end where XDR is newer than this version: anyone can send such a transaction", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      yield* perform("a data entry", { as: source, operations: [data("one")] })
      const { faults, snapshot } = yield* Network
      const { ledgerSeq } = (yield* snapshot).state.header
      yield* faults.set({ fault: new UnknownArms({ in: ["envelopes"] }) })
      assert.deepStrictEqual(yield* pastOf(source), { records: [], keys: [], end: "retention", since: ledgerSeq + 1 })
    }).pipe(Effect.provide(sandbox())))

  it.effect("that cannot be read are a failure, never none", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      yield* perform("a data entry", { as: source, operations: [data("one")] })
      const { faults } = yield* Network
      yield* faults.set({ fault: new GarbageBody({}), rpc: "getTransactions" })
      assert.strictEqual((yield* Effect.flip(pastOf(source)))._tag, "UpstreamUnusable")
      yield* faults.clear()
      assert.lengthOf((yield* pastOf(source)).records, 1)
    }).pipe(Effect.provide(sandbox())))
})
