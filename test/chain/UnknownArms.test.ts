import { assert, describe, it } from "@effect/vitest"
import { Account, Address, Asset, Keypair, Operation, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { AccountAddress, ContractAddress } from "../../src/domain/Address.ts"
import { contractDataKey } from "../../src/stellar/ContractKeys.ts"
import { dataKey } from "../../src/xdr/LedgerKeys.ts"
import { dataEntry, someAddress, unsponsored } from "./support/Entries.ts"
import { passphrase, scripted, settings } from "./support/Scripted.ts"

/** The last four bytes are the discriminant of an extension: an unknown one replaces them. */
const newer = (value: { readonly toXdr: () => Uint8Array }): string =>
  Buffer.concat([Buffer.from(value.toXdr()).subarray(0, -4), Buffer.from([0, 0, 0, 77])]).toString("base64")

const rpcOver = (result: unknown) =>
  Effect.map(
    scripted(() => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, result }) })),
    ({ layer }) => ContractRpc.layer.pipe(Layer.provide([layer, settings([new URL("https://rpc.example/")])]))
  )

const owner = someAddress()
const contract = ContractAddress.make(Address.contract(Buffer.alloc(32, 1)).toString())

describe("an unknown arm", () => {
  it.effect("in an entry, or in what stands beside it, spoils that entry alone", () =>
    Effect.gen(function*() {
      const names = ["whole", "newer", "newer beside"]
      const stored = contractDataKey(contract, xdr.ScVal.scvSymbol("Balance"))
      const entries = [
        ...names.map((name, at) => ({
          key: dataKey(owner, name).toXdr("base64"),
          xdr: at === 1 ? newer(dataEntry(owner, name)) : dataEntry(owner, name).toXdr("base64"),
          lastModifiedLedgerSeq: 5,
          extXdr: at === 2 ? newer(unsponsored) : unsponsored.toXdr("base64")
        })),
        {
          key: stored.toXdr("base64"),
          // The extension stands first in the entry of a contract.
          xdr: Buffer.from([0, 0, 0, 6, 0, 0, 0, 77]).toString("base64"),
          lastModifiedLedgerSeq: 6,
          extXdr: unsponsored.toXdr("base64")
        }
      ]
      const over = yield* rpcOver({ entries, latestLedger: 7 })
      const keys = [...names.map((name) => dataKey(owner, name)), stored]
      const found = yield* Effect.provide(Effect.flatMap(ContractRpc, (rpc) => rpc.ledgerEntries(keys)), over)
      assert.deepStrictEqual(found.entries.map(({ entry }) => entry?.data.type ?? null), ["data", null, null, "contractData"])
      const data = found.entries[3]?.entry?.data
      assert.strictEqual(data?.type === "contractData" ? data.contractData.val.type : null, "scvError")
    }))

  it.effect("in what a simulated call needs, agrees to or does leaves what it returns", () =>
    Effect.gen(function*() {
      const data = new xdr.SorobanTransactionData({
        ext: xdr.SorobanTransactionDataExt.v0(),
        resourceFee: 12n,
        resources: new xdr.SorobanResources({
          footprint: new xdr.LedgerFootprint({ readOnly: [], readWrite: [] }),
          instructions: 1,
          diskReadBytes: 2,
          writeBytes: 3
        })
      })
      const newerFirst = Buffer.from([0, 0, 0, 77]).toString("base64")
      const key = dataKey(owner, "a").toXdr("base64")
      const entry = new xdr.LedgerEntry({ lastModifiedLedgerSeq: 5, data: dataEntry(owner, "a"), ext: unsponsored })
      const whole = {
        latestLedger: 9,
        transactionData: data.toXdr("base64"),
        minResourceFee: "12",
        results: [{ auth: [], xdr: xdr.ScVal.scvU32(3).toXdr("base64") }],
        stateChanges: [{ type: "updated", key, before: null, after: entry.toXdr("base64") }]
      }
      const changed = [
        { transactionData: newerFirst },
        { restorePreamble: { transactionData: newerFirst, minResourceFee: "34" } },
        { results: [{ auth: [newerFirst], xdr: xdr.ScVal.scvU32(3).toXdr("base64") }] },
        { stateChanges: [{ type: "updated", key, before: null, after: newer(entry) }] },
        { stateChanges: [{ type: "updated", key: newerFirst, before: null, after: null }] }
      ]
      for (const [at, over] of [{}, ...changed].entries()) {
        const rpc = yield* rpcOver({ ...whole, ...over })
        const told = yield* Effect.provide(Effect.flatMap(ContractRpc, (one) => one.simulateTransaction("AAAA", 7)), rpc)
        assert.strictEqual(told._tag, at === 0 ? "Simulated" : "Newer")
        assert.deepStrictEqual("result" in told ? told.result : null, xdr.ScVal.scvU32(3))
      }
    }))

  it.effect("in the result of a transaction leaves whether it succeeded", () =>
    Effect.gen(function*() {
      const over = yield* rpcOver({
        status: "SUCCESS",
        latestLedger: 9,
        latestLedgerCloseTime: "5",
        oldestLedger: 1,
        ledger: 7,
        createdAt: "4",
        resultXdr: newer(
          new xdr.TransactionResult({ feeCharged: 1n, result: xdr.TransactionResultResult.txBadSeq(), ext: xdr.TransactionResultExt.v0() })
        ),
        envelopeXdr: Buffer.from([0, 0, 0, 99]).toString("base64")
      })
      const told = yield* Effect.provide(Effect.flatMap(ContractRpc, (rpc) => rpc.transaction("00".repeat(32))), over)
      assert.deepInclude(told, { status: "SUCCESS", ledger: 7 })
      assert.isFalse("result" in told || "envelope" in told)
    }))

  it.effect("in a record of history spoils that record alone", () =>
    Effect.gen(function*() {
      const key = Keypair.random()
      const address = AccountAddress.make(key.publicKey())
      const envelope = new TransactionBuilder(new Account(address, "7"), { fee: "100", networkPassphrase: passphrase })
        .setTimeout(0)
        .addOperation(Operation.payment({ destination: owner, asset: Asset.native(), amount: "1" }))
        .build()
        .toXDR()
      const result = new xdr.TransactionResult({
        feeCharged: 100n,
        result: xdr.TransactionResultResult.txSuccess([]),
        ext: xdr.TransactionResultExt.v0()
      })
      const record = (at: number, over: object) => ({
        hash: `${at}`.padStart(64, "0"),
        ledger: at,
        paging_token: `${BigInt(at) << 32n}`,
        source_account: address,
        source_account_sequence: "8",
        successful: true,
        envelope_xdr: envelope,
        result_xdr: result.toXdr("base64"),
        ...over
      })
      const records = [
        record(9, {}),
        record(8, { envelope_xdr: Buffer.from([0, 0, 0, 99]).toString("base64") }),
        record(7, { result_xdr: newer(result) })
      ]
      const transport = yield* scripted(() => ({ headers: { "latest-ledger": "10" }, body: JSON.stringify({ _embedded: { records } }) }))
      const over = LedgerApi.layer.pipe(Layer.provide([transport.layer, settings([new URL("https://api.example/")])]))
      const { newest, own } = yield* Effect.provide(
        Effect.gen(function*() {
          const api = yield* LedgerApi
          return { newest: yield* api.newestTransactions(address), own: yield* api.ownTransactions(address, 200, null) }
        }),
        over
      )
      assert.deepStrictEqual(newest.map((one) => [one.ledger, one.envelope !== null]), [[9, true], [8, false], [7, false]])
      assert.deepStrictEqual(
        own.records.map((one) => [one.ledger, one.envelope !== null, one.result !== null]),
        [[9, true, true], [8, false, true], [7, true, false]]
      )
    }))
})
