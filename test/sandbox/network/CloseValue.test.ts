import { assert, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { startTestService } from "../../support/TestService.ts"
import { startWithClients } from "../Clients.ts"

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const hex = (hash: xdr.Hash): string => Buffer.from(hash.toBytes()).toString("hex")

it.scopedLive("a ledger with transactions names their set, one without names none and keeps what was proposed", () =>
  Effect.gen(function*() {
    const { contractRpc, network, on } = yield* startWithClients()
    yield* on(FundedPair)
    yield* network.closeLedger()
    const { ledgers } = yield* Effect.promise(() => contractRpc.getLedgers({ startLedger: 1 }))
    const kinds = ledgers.map(({ headerXdr, metadataXdr }) => {
      const { ledgerVersion, previousLedgerHash, scpValue: { ext, txSetHash } } = headerXdr.header
      assert(metadataXdr.type === "v2")
      const [set, transactions] = [sha256(metadataXdr.v2.txSet.toXdr()), metadataXdr.v2.txProcessing.length]
      switch (ext.type) {
        case "stellarValueSigned":
          assert.isAbove(transactions, 0)
          assert.strictEqual(hex(txSetHash), set)
          break
        case "stellarValueEmptyTxSet":
          assert.strictEqual(transactions, 0)
          assert.strictEqual(hex(txSetHash), "0".repeat(64))
          assert.deepStrictEqual([hex(ext.proposedValue.txSetHash), hex(ext.proposedValue.previousLedgerHash)], [
            set,
            hex(previousLedgerHash)
          ])
          assert.strictEqual(ext.proposedValue.previousLedgerVersion, ledgerVersion)
          break
        default:
          assert.fail("no ledger of a network closes with an unsigned value")
      }
      return ext.type
    })
    assert.deepStrictEqual([kinds[0], kinds[1], kinds.at(-1)], ["stellarValueEmptyTxSet", "stellarValueSigned", "stellarValueEmptyTxSet"])
  }))

it.scopedLive("the service reads an account on a ledger of either kind", () =>
  Effect.gen(function*() {
    const { call, on, sandbox } = yield* startTestService()
    const { source } = yield* on(FundedPair)
    const read = call<unknown>("GET", `/testnet/account/${source.publicKey()}`)
    for (const _ of ["with transactions", "without"]) {
      assert.strictEqual((yield* read).status, 200)
      yield* sandbox.closeLedger()
    }
  }))
