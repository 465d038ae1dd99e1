import { assert, describe, it } from "@effect/vitest"
import { Asset, Contract, Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { ContractAddress } from "../../src/domain/Address.ts"
import { newAccount } from "../../src/ledger/entries/Account.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { contractData } from "../../src/ledger/soroban/ContractEntries.ts"
import { addressOf, i128 } from "../../src/ledger/soroban/Values.ts"
import { symbol, u32 } from "../../src/stellar/ScValCodec.ts"
import { accountKey, keyOf } from "../../src/xdr/LedgerKeys.ts"
import { scripted, settings } from "./support/Scripted.ts"

// Answers with every field that Stellar RPC writes, as it writes them: numbers in texts here and there, empty lists left out.

/** A contract RPC that returns this result for every request. */
const answering = <A, E>(result: unknown, ask: (rpc: ContractRpc["Type"]) => Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const transport = yield* scripted(() => ({ body: `${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\n` }))
    const over = ContractRpc.layer.pipe(Layer.provide([transport.layer, settings([new URL("https://rpc.example/")])]))
    return yield* Effect.provide(Effect.flatMap(ContractRpc, ask), over)
  })

const hash = "0f".repeat(32)
const range = {
  latestLedger: 60_000_010,
  latestLedgerCloseTime: "1790000000",
  oldestLedger: 59_879_051,
  oldestLedgerCloseTime: "1789395200"
}

const account = newEntry(xdr.LedgerEntryData.account(newAccount(xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32)), 5n, 1n)))
const owner = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7)).publicKey()
const contractId = ContractAddress.make(Asset.native().contractId("a network"))
const datum = newEntry(contractData(addressOf(contractId), xdr.ScVal.scvVoid(), "persistent", i128(1n)))

const footprint = new xdr.SorobanTransactionData({
  ext: xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [0] })),
  resourceFee: 93_370n,
  resources: new xdr.SorobanResources({
    footprint: new xdr.LedgerFootprint({ readOnly: [], readWrite: [keyOf(datum)] }),
    instructions: 1_234_567,
    diskReadBytes: 1_000,
    writeBytes: 300
  })
}).toXdr("base64")

const simulated = {
  transactionData: footprint,
  events: ["AAAAAQAAAAAAAAAAAAAAAgAAAAA="],
  minResourceFee: "93370",
  results: [{ auth: [], xdr: "AAAAAQ==" }],
  stateChanges: [
    { type: "created", key: keyOf(datum).toXdr("base64"), before: null, after: datum.toXdr("base64") },
    { type: "updated", key: keyOf(account).toXdr("base64"), before: account.toXdr("base64"), after: account.toXdr("base64") }
  ],
  latestLedger: 60_000_010
}

const distribution = (fee: string) => ({
  max: fee,
  min: fee,
  mode: fee,
  p10: fee,
  p20: fee,
  p30: fee,
  p40: fee,
  p50: fee,
  p60: fee,
  p70: fee,
  p80: fee,
  p90: fee,
  p95: fee,
  p99: fee,
  transactionCount: "0",
  ledgerCount: 0
})

const result = new xdr.TransactionResult({
  feeCharged: 100n,
  result: xdr.TransactionResultResult.txSuccess([]),
  ext: xdr.TransactionResultExt.v0()
})

const envelope = xdr.TransactionEnvelope.envelopeTypeTx(
  new xdr.TransactionV1Envelope({
    tx: new xdr.Transaction({
      sourceAccount: xdr.MuxedAccount.keyTypeEd25519(new Uint8Array(32)),
      fee: 100,
      seqNum: 1n,
      cond: xdr.Preconditions.precondNone(),
      memo: xdr.Memo.memoNone(),
      operations: [],
      ext: xdr.TransactionExt.v0()
    }),
    signatures: []
  })
)

describe("answers of a real contract RPC", () => {
  it.effect("simulateTransaction: a success", () =>
    Effect.gen(function*() {
      const told = yield* answering(simulated, (rpc) => rpc.simulateTransaction("AAAA", 0))
      assert(told._tag === "Simulated")
      assert.deepStrictEqual(told.changes.map(({ after, before }) => [before === null, after === null]), [[true, false], [false, false]])
      assert.strictEqual(told.resources.minResourceFee, 93_370n)
      assert.strictEqual(told.resources.data.ext.type, "resourceExt")
    }))

  it.effect("simulateTransaction: a success as older versions tell it, with its cost", () =>
    Effect.gen(function*() {
      const told = yield* answering({ ...simulated, cost: { cpuInsns: "1234567", memBytes: "1000" } }, (rpc) =>
        rpc.simulateTransaction("AAAA", 0))
      assert.strictEqual(told._tag, "Simulated")
    }))

  it.effect("simulateTransaction: a failure, with what was reckoned all the same", () =>
    Effect.gen(function*() {
      const error =
        "HostError: Error(Contract, #10)\n\nEvent log (newest first):\n   0: [Diagnostic Event] topics:[error, Error(Contract, #10)]"
      const told = yield* answering({ error, events: simulated.events, latestLedger: 60_000_010 }, (rpc) =>
        rpc.simulateTransaction("AAAA", 0))
      assert.deepStrictEqual(told, { _tag: "Failed", error, latestLedger: 60_000_010 })
      const reckoned = yield* answering({ ...simulated, error }, (rpc) =>
        rpc.simulateTransaction("AAAA", 0))
      assert.strictEqual(reckoned._tag, "Failed")
    }))

  it.effect("getLedgerEntries: live, archived, and without a life of their own", () =>
    Effect.gen(function*() {
      const key = new Contract(contractId).getFootprint()
      const instance = newEntry(
        contractData(addressOf(contractId), xdr.ScVal.scvLedgerKeyContractInstance(), "persistent", xdr.ScVal.scvVoid())
      )
      const row = (entry: xdr.LedgerEntry, more: object = {}) => ({
        key: keyOf(entry).toXdr("base64"),
        xdr: entry.data.toXdr("base64"),
        lastModifiedLedgerSeq: 59_000_000,
        extXdr: "AAAAAA==",
        ...more
      })
      const entries = [row(instance, { liveUntilLedgerSeq: 61_000_000 }), row(datum, { liveUntilLedgerSeq: 0 }), row(account)]
      const keys = [key, keyOf(datum), keyOf(account), accountKey(owner)]
      const told = yield* answering({ entries, latestLedger: 60_000_010 }, (rpc) => rpc.ledgerEntries(keys))
      assert.deepStrictEqual(told.entries.map(({ liveUntilLedger }) => liveUntilLedger), [61_000_000, 0, null])
    }))

  it.effect("sendTransaction: every status", () =>
    Effect.gen(function*() {
      const answer = { hash, latestLedger: 60_000_010, latestLedgerCloseTime: "1790000000" }
      for (const status of ["PENDING", "DUPLICATE", "TRY_AGAIN_LATER"] as const) {
        assert.strictEqual((yield* answering({ status, ...answer }, (rpc) => rpc.sendTransaction("AAAA"))).status, status)
      }
      const refused = new xdr.TransactionResult({
        feeCharged: 100n,
        result: xdr.TransactionResultResult.txTooLate(),
        ext: xdr.TransactionResultExt.v0()
      })
      const error = {
        errorResultXdr: refused.toXdr("base64"),
        diagnosticEventsXdr: ["AAAAAQAAAAAAAAAAAAAAAgAAAAA="],
        status: "ERROR",
        ...answer
      }
      assert.strictEqual((yield* answering(error, (rpc) => rpc.sendTransaction("AAAA"))).result?.result.type, "txTooLate")
      // The RPC accepted the transaction and could not read its own newest ledger.
      const blind = { status: "PENDING", hash, latestLedger: 0, latestLedgerCloseTime: "0" }
      assert.strictEqual((yield* answering(blind, (rpc) => rpc.sendTransaction("AAAA"))).status, "PENDING")
    }))

  it.effect("getTransaction: not found, found, found as versions before 23 tell it", () =>
    Effect.gen(function*() {
      const missing = {
        ...range,
        status: "NOT_FOUND",
        txHash: hash,
        applicationOrder: 0,
        feeBump: false,
        events: {},
        ledger: 0,
        createdAt: "0"
      }
      const none = yield* answering(missing, (rpc) => rpc.transaction(hash))
      assert.deepStrictEqual(none, {
        status: "NOT_FOUND",
        latestLedger: range.latestLedger,
        latestCloseTime: 1_790_000_000n,
        oldestLedger: range.oldestLedger
      })
      const found = {
        ...range,
        status: "SUCCESS",
        txHash: hash,
        applicationOrder: 7,
        feeBump: false,
        envelopeXdr: envelope.toXdr("base64"),
        resultXdr: result.toXdr("base64"),
        resultMetaXdr: "AAAABAAAAAA=",
        ledger: 60_000_000,
        createdAt: "1789999950"
      }
      const events = { transactionEventsXdr: ["AAAA"], contractEventsXdr: [[], ["AAAA"]] }
      for (const one of [{ ...found, events, diagnosticEventsXdr: ["AAAA"] }, found]) {
        const told = yield* answering(one, (rpc) => rpc.transaction(hash))
        assert.deepInclude(told, { status: "SUCCESS", ledger: 60_000_000, createdAt: 1_789_999_950n })
        assert.strictEqual(told.status === "SUCCESS" && told.result?.result.type, "txSuccess")
      }
      assert.strictEqual((yield* answering({ ...found, status: "FAILED" }, (rpc) => rpc.transaction(hash))).status, "FAILED")
    }))

  it.effect("getFeeStats: where nobody made contract transactions lately, and where its newest ledger could not be read", () =>
    Effect.gen(function*() {
      const told = yield* answering({
        sorobanInclusionFee: distribution("0"),
        inclusionFee: { ...distribution("100"), transactionCount: "1234", ledgerCount: 10 },
        latestLedger: 0
      }, (rpc) => rpc.feeStats)
      assert.deepStrictEqual([told.soroban.max, told.soroban.ledgerCount, told.classic.p99, told.classic.transactionCount], [
        0n,
        0,
        100n,
        1234n
      ])
    }))

  it.effect("getHealth: with close times and without", () =>
    Effect.gen(function*() {
      const old = { status: "healthy", latestLedger: range.latestLedger, oldestLedger: range.oldestLedger, ledgerRetentionWindow: 120_960 }
      for (const answer of [{ ...old, ...range }, { ...old, latestLedgerCloseTime: 1_790_000_000 }, old]) {
        assert.deepStrictEqual(yield* answering(answer, (rpc) => rpc.retention), { latestLedger: 60_000_010, oldestLedger: 59_879_051 })
      }
    }))

  it.effect("getEvents: with the range it keeps, and as versions before 23 tell it", () =>
    Effect.gen(function*() {
      const topic = symbol.encode("deploy")
      const id = "0257698037760004096-0000000000"
      const event = {
        type: "contract",
        ledger: 60_000_000,
        ledgerClosedAt: "2026-09-21T14:12:30Z",
        contractId,
        id,
        operationIndex: 0,
        transactionIndex: 1,
        txHash: hash,
        topic: [topic.toXdr("base64")],
        value: u32.encode(7).toXdr("base64")
      }
      // A range that was looked through to its end: the last place of its last ledger.
      const cursor = "0257698072119738367-4294967295"
      for (
        const [one, kept] of [
          [event, range],
          [{ ...event, inSuccessfulContractCall: true }, range],
          [{ ...event, inSuccessfulContractCall: true, pagingToken: id }, { latestLedger: range.latestLedger }]
        ] as const
      ) {
        const told = yield* answering({ events: [one], cursor, ...kept }, (rpc) =>
          rpc.events({ contracts: [contractId], topics: [topic], from: 60_000_000, to: 60_000_008 }))
        assert.deepStrictEqual([
          told.events.map(({ ledger }) =>
            ledger
          ),
          told.from,
          told.to
        ], [[60_000_000], 60_000_000, 60_000_008])
      }
    }))
})
