import { HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Account, Operation, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer, Schema } from "effect"
import { addressOf, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { reserveDataKey } from "../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { EntryArchived } from "../../../src/sandbox/events/EntryArchived.ts"
import { ArchivedLeftOut, ManualRestoration } from "../../../src/sandbox/faults/LimitedServer.ts"
import { Friendbot } from "../../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"

const ask = <A, I>(method: string, params: unknown, result: Schema.Schema<A, I>) =>
  Effect.gen(function*() {
    const client = yield* inMemoryTransport
    const answer = yield* HttpClientRequest.post("http://sandbox.invalid/rpc").pipe(
      HttpClientRequest.bodyUnsafeJson({ jsonrpc: "2.0", id: 1, method, params }),
      client.execute
    )
    return (yield* Schema.decodeUnknown(Schema.Struct({ result }))(yield* answer.json)).result
  })

const Simulated = Schema.Struct({
  transactionData: Schema.String,
  minResourceFee: Schema.NumberFromString,
  latestLedger: Schema.Number,
  restorePreamble: Schema.optional(Schema.Struct({ transactionData: Schema.String, minResourceFee: Schema.NumberFromString }))
})

const Entries = Schema.Struct({ entries: Schema.Array(Schema.Struct({ key: Schema.String, liveUntilLedgerSeq: Schema.Number })) })

const soroban = (text: string) => {
  const { ext, resources: { footprint } } = xdr.SorobanTransactionData.fromXdr(text, "base64")
  const text64 = (key: xdr.LedgerKey) => key.toXdr("base64")
  return { marks: ext.type, readOnly: footprint.readOnly.map(text64), readWrite: footprint.readWrite.map(text64) }
}

/** The lending pool's own entry of a reserve is archived; `get_reserve` only reads it and its other entries. */
const archived = Effect.gen(function*() {
  const { passphrase } = yield* Network
  const { source, usdc } = yield* LendingNewcomer
  const asset = addressOf(usdc.contractId(passphrase))
  const key = keyOfContractData(lendingContracts.pool, reserveDataKey(asset), "persistent").toXdr("base64")
  yield* new EntryArchived({ key }).happen()
  const transaction = new TransactionBuilder(new Account(source.publicKey(), "1"), { fee: "100", networkPassphrase: passphrase })
    .addOperation(Operation.invokeContractFunction({
      contract: strkeyOf(lendingContracts.pool),
      function: "get_reserve",
      args: [xdr.ScVal.scvAddress(asset)]
    }))
    .setTimeout(0)
    .build()
    .toXdr()
  return { key, source, transaction }
})

/** Each test has a network of its own: the market has one fixed address. */
const on = Effect.provide(Layer.provideMerge(Layer.fresh(Friendbot.layer), Network.layer()))

describe("archived entries at a contract RPC", () => {
  it.effect("are marked in the footprint of a call that brings them back itself", () =>
    Effect.gen(function*() {
      const { key, transaction } = yield* archived
      const answer = yield* ask("simulateTransaction", { transaction }, Simulated)
      assert.isUndefined(answer.restorePreamble)
      const { marks, readWrite } = soroban(answer.transactionData)
      assert.strictEqual(marks, "resourceExt")
      assert.include(readWrite, key)
    }).pipe(on))

  it.effect("are named to be restored first where nothing brings them back by itself, and the call counts on it", () =>
    Effect.gen(function*() {
      const { key, source, transaction } = yield* archived
      const { faults } = yield* Network
      yield* faults.set({ fault: new ManualRestoration({}), times: 1 })
      const answer = yield* ask("simulateTransaction", { transaction }, Simulated)
      const preamble = answer.restorePreamble ?? assert.fail("nothing is to be restored")
      const restore = soroban(preamble.transactionData)
      assert.deepStrictEqual([restore.readOnly, restore.readWrite], [[], [key]])
      const call = soroban(answer.transactionData)
      assert.deepStrictEqual([call.marks, call.readOnly.includes(key), call.readWrite], ["v0", true, []])
      yield* perform("what is archived is restored", {
        as: source,
        operations: [Operation.restoreFootprint({})],
        resources: xdr.SorobanTransactionData.fromXdr(preamble.transactionData, "base64")
      })
      yield* faults.set({ fault: new ManualRestoration({}) })
      const after = yield* ask("simulateTransaction", { transaction }, Simulated)
      assert.isUndefined(after.restorePreamble)
      assert.deepStrictEqual(soroban(after.transactionData), call)
    }).pipe(on))

  it.effect("are shown as such, or left out like what never was", () =>
    Effect.gen(function*() {
      const { key } = yield* archived
      const { faults } = yield* Network
      const read = ask("getLedgerEntries", { keys: [key] }, Entries)
      assert.deepStrictEqual((yield* read).entries, [{ key, liveUntilLedgerSeq: 0 }])
      yield* faults.set({ fault: new ArchivedLeftOut({}), times: 1 })
      assert.deepStrictEqual((yield* read).entries, [])
      assert.deepStrictEqual(yield* faults.all, [])
      assert.lengthOf((yield* read).entries, 1)
    }).pipe(on))
})
