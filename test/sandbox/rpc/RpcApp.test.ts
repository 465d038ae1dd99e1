import { assert, it } from "@effect/vitest"
import { type Account, Keypair, Operation, rpc, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { DemoAccount } from "../../../src/sandbox/scenarios/DemoAccount.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { accountKey, dataKey } from "../../../src/xdr/LedgerKeys.ts"
import { post, readProtocol, refused, startWithClients } from "../Clients.ts"

const payment = (from: Keypair, account: Account, to: string, passphrase: string) => {
  const transaction = new TransactionBuilder(account, { fee: "200", networkPassphrase: passphrase })
    .addOperation(Operation.accountMerge({ destination: to }))
    .setTimeout(300)
    .build()
  transaction.sign(from)
  return transaction
}

const errorOf = (text: string) =>
  Schema.decodeSync(
    Schema.parseJson(
      Schema.Struct({ id: Schema.Unknown, error: Schema.Struct({ code: Schema.Number, message: Schema.String }) })
    )
  )(text).error

const call = (method: string, params?: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 7, method, params })

it.scopedLive("tells the network, its health and its version", () =>
  Effect.gen(function*() {
    const { contractRpc, friendbotUrl, passphrase } = yield* startWithClients({ retention: 100 })
    const network = yield* Effect.promise(() => contractRpc.getNetwork())
    assert.strictEqual(network.friendbotUrl, friendbotUrl)
    assert.strictEqual(network.passphrase, passphrase)
    assert.strictEqual(Number(network.protocolVersion), readProtocol)
    const health = yield* Effect.promise(() => contractRpc.getHealth())
    assert.strictEqual(health.status, "healthy")
    assert.strictEqual(health.oldestLedger, 1)
    assert.strictEqual(health.latestLedger, 1)
    assert.strictEqual(health.ledgerRetentionWindow, 100)
    const version = yield* Effect.promise(() => contractRpc.getVersionInfo())
    assert.strictEqual(version.protocolVersion, readProtocol)
  }))

it.scopedLive("chains ledger headers that hash to what links them", () =>
  Effect.gen(function*() {
    const { contractRpc, network } = yield* startWithClients()
    yield* network.closeLedger()
    yield* network.closeLedger({ advanceSeconds: 60 })
    const latest = yield* Effect.promise(() => contractRpc.getLatestLedger())
    assert.strictEqual(latest.sequence, 3)
    assert.strictEqual(latest.id, createHash("sha256").update(latest.headerXdr.toXdr()).digest("hex"))
    assert.strictEqual(latest.headerXdr.baseReserve, 5_000_000)
    assert.strictEqual(latest.headerXdr.baseFee, 100)
    assert.strictEqual(latest.headerXdr.scpValue.closeTime.toString(), latest.closeTime)
    assert.strictEqual(latest.metadataXdr.type, "v2")
    const { ledgers } = yield* Effect.promise(() => contractRpc.getLedgers({ startLedger: 1 }))
    assert.deepStrictEqual(ledgers.map(({ sequence }) => sequence), [1, 2, 3])
    for (const [at, ledger] of ledgers.entries()) {
      const previous = ledgers[at - 1]?.hash ?? "0".repeat(64)
      assert.strictEqual(Buffer.from(ledger.headerXdr.header.previousLedgerHash.toBytes()).toString("hex"), previous)
      assert.strictEqual(Buffer.from(ledger.headerXdr.hash.toBytes()).toString("hex"), ledger.hash)
    }
    const [, second, third] = ledgers
    assert.strictEqual(Number(third?.ledgerCloseTime), Number(second?.ledgerCloseTime) + 60)
  }))

it.scopedLive("chains headers with milliseconds, of which several may share a second", () =>
  Effect.gen(function*() {
    const { network } = yield* startWithClients({ protocolVersion: 30 })
    yield* network.closeLedger({ advanceSeconds: 60 })
    yield* network.closeLedger()
    yield* network.closeLedger()
    const { history } = yield* network.snapshot
    const ledgers = [...history.from(2)].map(({ closeTime, closeTimeMs, hash, headerXdr }) => ({
      hash,
      closeTime,
      closeTimeMs,
      header: Buffer.from(headerXdr)
    }))
    assert.lengthOf(ledgers, 3)
    for (const [at, { closeTime, closeTimeMs, hash, header }] of ledgers.entries()) {
      assert.strictEqual(createHash("sha256").update(header).digest("hex"), hash)
      const previous = ledgers[at - 1]
      if (previous !== undefined) {
        assert.strictEqual(header.subarray(4, 36).toString("hex"), previous.hash)
        assert.isTrue(closeTimeMs > previous.closeTimeMs)
        assert.strictEqual(closeTime, previous.closeTime)
      }
      assert.strictEqual(header.readBigUInt64BE(68), closeTime)
      assert.strictEqual(header.readBigUInt64BE(84), closeTimeMs)
      assert.strictEqual(closeTimeMs / 1000n, closeTime)
    }
  }))

it.scopedLive("pages through ledgers and transactions", () =>
  Effect.gen(function*() {
    const { contractRpc, network, on } = yield* startWithClients()
    yield* on(FundedPair)
    yield* on(FundedPair)
    yield* network.closeLedger()
    yield* on(FundedPair)
    const first = yield* Effect.promise(() => contractRpc.getLedgers({ startLedger: 1, pagination: { limit: 2 } }))
    assert.strictEqual(first.cursor, "2")
    const rest = yield* Effect.promise(() => contractRpc.getLedgers({ pagination: { cursor: first.cursor } }))
    assert.deepStrictEqual(rest.ledgers.map(({ sequence }) => sequence), [3, 4, 5])
    const one = yield* Effect.promise(() => contractRpc.getTransactions({ startLedger: 1, pagination: { limit: 1 } }))
    assert.deepStrictEqual(one.transactions.map(({ ledger }) => ledger), [2])
    const others = yield* Effect.promise(() => contractRpc.getTransactions({ pagination: { cursor: one.cursor } }))
    assert.deepStrictEqual(others.transactions.map(({ ledger, status }) => [ledger, status]), [[3, "SUCCESS"], [5, "SUCCESS"]])
    const none = yield* Effect.promise(() => contractRpc.getTransactions({ pagination: { cursor: others.cursor } }))
    assert.deepStrictEqual(none.transactions, [])
  }))

it.scopedLive("submits, applies and reports a transaction", () =>
  Effect.gen(function*() {
    const { contractRpc, on, passphrase } = yield* startWithClients()
    const { destination, source } = yield* on(FundedPair)
    const account = yield* Effect.promise(() => contractRpc.getAccount(source.publicKey()))
    const merge = payment(source, account, destination.publicKey(), passphrase)
    // An account cannot be merged in the ledger that created it; the next one is late enough.
    const sent = yield* Effect.promise(() => contractRpc.sendTransaction(merge))
    assert.strictEqual(sent.status, "PENDING")
    assert.strictEqual(sent.hash, Buffer.from(merge.hash()).toString("hex"))
    const found = yield* Effect.promise(() => contractRpc.pollTransaction(sent.hash))
    assert.strictEqual(found.status, rpc.Api.GetTransactionStatus.SUCCESS)
    if (found.status !== rpc.Api.GetTransactionStatus.SUCCESS) return
    assert.strictEqual(found.resultXdr.feeCharged, 100n)
    assert.strictEqual(found.resultMetaXdr.type, "v4")
    assert.strictEqual(found.envelopeXdr.toXdr("base64"), merge.toEnvelope().toXdr("base64"))
    const again = yield* Effect.promise(() => contractRpc.sendTransaction(merge))
    assert.strictEqual(again.status, "ERROR")
    assert.strictEqual(again.errorResult?.result.type, "txNoAccount")
    const gone = yield* refused(() => contractRpc.getAccount(source.publicKey()))
    assert.include(String(gone), "not found")
  }))

it.scopedLive("reports a transaction that failed in its ledger", () =>
  Effect.gen(function*() {
    const { contractRpc, on, passphrase } = yield* startWithClients()
    const { source } = yield* on(FundedPair)
    const account = yield* Effect.promise(() => contractRpc.getAccount(source.publicKey()))
    const merge = payment(source, account, Keypair.random().publicKey(), passphrase)
    const sent = yield* Effect.promise(() => contractRpc.sendTransaction(merge))
    assert.strictEqual(sent.status, "PENDING")
    const found = yield* Effect.promise(() => contractRpc.getTransaction(sent.hash))
    assert.strictEqual(found.status, rpc.Api.GetTransactionStatus.FAILED)
    if (found.status !== rpc.Api.GetTransactionStatus.FAILED) return
    assert.strictEqual(found.resultXdr.result.type, "txFailed")
    const missing = yield* Effect.promise(() => contractRpc.getTransaction("ab".repeat(32)))
    assert.strictEqual(missing.status, rpc.Api.GetTransactionStatus.NOT_FOUND)
    assert.strictEqual(missing.latestLedger, 3)
  }))

it.scopedLive("finds a fee bump under both its hashes", () =>
  Effect.gen(function*() {
    const { contractRpc, on, passphrase } = yield* startWithClients()
    const { destination, source } = yield* on(FundedPair)
    const account = yield* Effect.promise(() => contractRpc.getAccount(source.publicKey()))
    const inner = payment(source, account, destination.publicKey(), passphrase)
    const bump = TransactionBuilder.buildFeeBumpTransaction(destination, "400", inner, passphrase)
    bump.sign(destination)
    const sent = yield* Effect.promise(() => contractRpc.sendTransaction(bump))
    assert.strictEqual(sent.status, "PENDING")
    for (const hash of [bump.hash(), inner.hash()]) {
      const found = yield* Effect.promise(() => contractRpc.getTransaction(Buffer.from(hash).toString("hex")))
      assert.strictEqual(found.status, rpc.Api.GetTransactionStatus.SUCCESS)
      if (found.status !== rpc.Api.GetTransactionStatus.SUCCESS) return
      assert.isTrue(found.feeBump)
      assert.strictEqual(found.resultXdr.result.type, "txFeeBumpInnerSuccess")
    }
  }))

it.scopedLive("answers ledger entries in the order asked, with their sponsors", () =>
  Effect.gen(function*() {
    const { contractRpc, on, rpcUrl } = yield* startWithClients()
    const { source } = yield* on(DemoAccount)
    const keys = [
      dataKey(source.publicKey(), "settings"),
      accountKey(Keypair.random().publicKey()),
      accountKey(source.publicKey())
    ]
    const { entries } = yield* Effect.promise(() => contractRpc.getLedgerEntries(...keys))
    assert.deepStrictEqual(entries.map(({ val }) => val.type), ["data", "account"])
    const raw = yield* Effect.promise(() => contractRpc._getLedgerEntries(...keys))
    for (const entry of raw.entries ?? []) {
      assert.isTrue("extXdr" in entry && xdr.LedgerEntryExt.validateXdr(String(entry.extXdr), "base64"))
    }
    const key = keys[2]?.toXdr("base64")
    const twice = yield* post(rpcUrl, call("getLedgerEntries", { keys: [key, key] }))
    assert.deepStrictEqual(errorOf(twice.text), { code: -32603, message: "Duplicate keys" })
    const many = yield* post(rpcUrl, call("getLedgerEntries", { keys: Array.from({ length: 201 }, () => key) }))
    assert.deepStrictEqual(errorOf(many.text), { code: -32602, message: "key count (201) exceeds maximum supported (200)" })
    const ttl = xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: new Uint8Array(32) })).toXdr("base64")
    const ofTtl = yield* post(rpcUrl, call("getLedgerEntries", { keys: [ttl] }))
    assert.deepStrictEqual(errorOf(ofTtl.text), { code: -32602, message: "ledger ttl entries cannot be queried directly" })
    const broken = yield* post(rpcUrl, call("getLedgerEntries", { keys: ["AAAA"] }))
    assert.strictEqual(errorOf(broken.text).code, -32602)
  }))

it.scopedLive("sums up fees per operation", () =>
  Effect.gen(function*() {
    const { contractRpc, network, on } = yield* startWithClients()
    const empty = yield* Effect.promise(() => contractRpc.getFeeStats())
    assert.strictEqual(empty.inclusionFee.p90, "0")
    assert.strictEqual(empty.inclusionFee.transactionCount, "0")
    yield* on(FundedPair)
    const one = yield* Effect.promise(() => contractRpc.getFeeStats())
    assert.strictEqual(one.inclusionFee.p99, "100")
    assert.strictEqual(one.inclusionFee.mode, "100")
    assert.strictEqual(one.inclusionFee.transactionCount, "1")
    assert.strictEqual(one.sorobanInclusionFee.max, "0")
    yield* Effect.replicateEffect(network.closeLedger(), 10)
    const later = yield* Effect.promise(() => contractRpc.getFeeStats())
    assert.strictEqual(later.inclusionFee.max, "0")
  }))

it.scopedLive("answers events within the range, and refuses what lies outside", () =>
  Effect.gen(function*() {
    const { contractRpc, network, rpcUrl } = yield* startWithClients({ retention: 2 })
    yield* Effect.replicateEffect(network.closeLedger(), 4)
    const answer = yield* Effect.promise(() => contractRpc.getEvents({ startLedger: 4, filters: [] }))
    assert.deepStrictEqual(answer.events, [])
    assert.strictEqual(answer.oldestLedger, 4)
    assert.strictEqual(answer.latestLedger, 5)
    const next = yield* Effect.promise(() => contractRpc.getEvents({ cursor: answer.cursor, filters: [] }))
    assert.strictEqual(next.cursor, answer.cursor)
    const outside = yield* post(rpcUrl, call("getEvents", { startLedger: 3, filters: [] }))
    assert.deepStrictEqual(errorOf(outside.text), { code: -32600, message: "startLedger must be within the ledger range: 4 - 5" })
    const both = yield* post(rpcUrl, call("getEvents", { startLedger: 4, pagination: { cursor: answer.cursor } }))
    assert.strictEqual(errorOf(both.text).code, -32602)
    const contract = yield* post(rpcUrl, call("getEvents", { startLedger: 4, filters: [{ contractIds: ["C"] }] }))
    assert.deepStrictEqual(errorOf(contract.text), { code: -32602, message: "filter 1 invalid: contract ID invalid" })
  }))

it.scopedLive("refuses calls the way the real server does", () =>
  Effect.gen(function*() {
    const { rpcUrl } = yield* startWithClients()
    const unknown = yield* post(rpcUrl, call("getEverything"))
    assert.strictEqual(unknown.status, 200)
    assert.strictEqual(errorOf(unknown.text).code, -32601)
    assert.strictEqual(errorOf((yield* post(rpcUrl, call("getTransaction", ["ab".repeat(32)]))).text).code, -32602)
    assert.strictEqual(errorOf((yield* post(rpcUrl, call("getTransaction", {}))).text).code, -32602)
    const envelope = yield* post(rpcUrl, call("sendTransaction", { transaction: "AAAA" }))
    assert.deepStrictEqual(errorOf(envelope.text), { code: -32602, message: "invalid_xdr" })
    assert.strictEqual((yield* post(rpcUrl, "{")).status, 500)
    assert.strictEqual((yield* post(rpcUrl, call("getHealth"), { "content-type": "text/plain" })).status, 415)
    assert.strictEqual((yield* post(rpcUrl, call("getHealth", { filler: "x".repeat(600_000) }))).status, 413)
    const read = yield* Effect.promise(() => fetch(rpcUrl))
    assert.strictEqual(read.status, 405)
    const batch = yield* post(rpcUrl, `[${call("getHealth")},${call("getNothing")}]`)
    assert.strictEqual(Schema.decodeSync(Schema.parseJson(Schema.Array(Schema.Unknown)))(batch.text).length, 2)
    const empty = yield* post(rpcUrl, call("getHealth", null))
    assert.include(empty.text, "healthy")
  }))

it.scopedLive("tells how long contract entries live: archived ones until 0, expired temporary ones not at all", () =>
  Effect.gen(function*() {
    const { contractRpc, network } = yield* startWithClients()
    const contract = xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(new Uint8Array(32).fill(7)))
    const entryOf = (name: string, durability: xdr.ContractDataDurability) => {
      const key = xdr.ScVal.scvSymbol(name)
      return {
        key: xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability })),
        data: xdr.LedgerEntryData.contractData(
          new xdr.ContractDataEntry({ ext: xdr.ExtensionPoint.v0(), contract, key, durability, val: xdr.ScVal.scvVoid() })
        )
      }
    }
    const persistent = xdr.ContractDataDurability.persistent
    const temporary = xdr.ContractDataDurability.temporary
    const lives = [
      { ...entryOf("live", persistent), until: 9 },
      { ...entryOf("archived", persistent), until: 1 },
      { ...entryOf("fresh", temporary), until: 2 },
      { ...entryOf("expired", temporary), until: 1 }
    ]
    yield* network.amend((state) =>
      state.set(
        lives.flatMap(({ data, key, until }) =>
          [
            data,
            xdr.LedgerEntryData.ttl(
              new xdr.TtlEntry({ keyHash: createHash("sha256").update(key.toXdr()).digest(), liveUntilLedgerSeq: until })
            )
          ].map((data) => new xdr.LedgerEntry({ lastModifiedLedgerSeq: 2, data, ext: xdr.LedgerEntryExt.v0() }))
        )
      )
    )
    const { entries } = yield* Effect.promise(() => contractRpc.getLedgerEntries(...lives.map(({ key }) => key)))
    assert.deepStrictEqual(
      entries.map(({ key, liveUntilLedgerSeq }) => [
        key.type === "contractData" && key.contractData.key.type === "scvSymbol" ? key.contractData.key.sym.toString() : "",
        liveUntilLedgerSeq
      ]),
      [["live", 9], ["archived", 0], ["fresh", 2]]
    )
  }))

it.scopedLive("takes the oldest envelope form", () =>
  Effect.gen(function*() {
    const { contractRpc, network, on, passphrase } = yield* startWithClients()
    const { destination, source } = yield* on(FundedPair)
    const account = yield* Effect.promise(() => contractRpc.getAccount(source.publicKey()))
    const merge = payment(source, account, destination.publicKey(), passphrase)
    const { signatures, tx } = xdrEnvelope(merge)
    const old = xdr.TransactionEnvelope.envelopeTypeTxV0(
      new xdr.TransactionV0Envelope({
        tx: new xdr.TransactionV0({
          sourceAccountEd25519: source.rawPublicKey(),
          fee: tx.fee,
          seqNum: tx.seqNum,
          timeBounds: tx.cond.type === "precondTime" ? tx.cond.timeBounds : null,
          memo: tx.memo,
          operations: tx.operations,
          ext: xdr.TransactionV0Ext.v0()
        }),
        signatures
      })
    )
    const { facts, verdict } = yield* network.submit(old)
    assert.strictEqual(verdict, "pending")
    assert.strictEqual(facts.hash, Buffer.from(merge.hash()).toString("hex"))
    const found = yield* Effect.promise(() => contractRpc.getTransaction(facts.hash))
    assert.strictEqual(found.status, rpc.Api.GetTransactionStatus.SUCCESS)
  }))

const xdrEnvelope = (transaction: { readonly toEnvelope: () => xdr.TransactionEnvelope }): xdr.TransactionV1Envelope => {
  const envelope = transaction.toEnvelope()
  assert(envelope.type === "envelopeTypeTx")
  return envelope.v1
}
