import { assert, describe, it } from "@effect/vitest"
import { Account, Asset, Keypair, Networks, Operation, StrKey, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import type { TransactionRecord, UnreadableRecord } from "../../src/chain/ledger-api/TransactionRecord.ts"
import { mayHaveHeldMore } from "../../src/close/watch/PossibleDrain.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { TransactionHash } from "../../src/domain/Ledger.ts"

const [closing, stranger] = [Keypair.random(), Keypair.random()]

const place = { hash: TransactionHash.make("0".repeat(64)), ledger: 1, pagingToken: 1n, closedAt: null }

const resultOf = (applied: boolean) =>
  new xdr.TransactionResult({
    feeCharged: 100n,
    result: applied ? xdr.TransactionResultResult.txSuccess([]) : xdr.TransactionResultResult.txFailed([]),
    ext: xdr.TransactionResultExt.v0()
  })

const built = (source: Keypair, ...operations: ReadonlyArray<xdr.Operation>) => {
  const builder = new TransactionBuilder(new Account(source.publicKey(), "1"), { fee: "100", networkPassphrase: Networks.TESTNET })
  for (const operation of operations) builder.addOperation(operation)
  return builder.setTimeout(0).build()
}

const record = (source: Keypair, operations: ReadonlyArray<xdr.Operation>, applied = true): TransactionRecord => ({
  ...place,
  envelope: built(source, ...operations).toEnvelope(),
  result: resultOf(applied)
})

const pay = (source: Keypair, destination: Keypair) =>
  Operation.payment({ source: source.publicKey(), destination: destination.publicKey(), asset: Asset.native(), amount: "1" })

const gift = record(stranger, [pay(stranger, closing)])
const drain = record(stranger, [pay(closing, stranger)])
const exchange = record(stranger, [pay(stranger, closing), pay(closing, stranger)])
const own = record(closing, [pay(closing, stranger)])
const call = record(stranger, [
  Operation.invokeContractFunction({ contract: StrKey.encodeContract(Buffer.alloc(32)), function: "transfer_from", args: [] })
])
const feeBy = (payer: Keypair): TransactionRecord => ({
  ...gift,
  envelope: TransactionBuilder.buildFeeBumpTransaction(payer, "200", built(stranger, pay(stranger, closing)), Networks.TESTNET)
    .toEnvelope()
})
const unreadable: UnreadableRecord = { ...place, envelope: null, signed: [] }

const histories: ReadonlyArray<
  readonly [name: string, records: ReadonlyArray<TransactionRecord | UnreadableRecord>, complete: boolean, expected: boolean]
> = [
  ["nothing", [], true, false],
  ["gifts only", [gift, gift], true, false],
  ["gifts, and more than one page of them", [gift, gift], false, true],
  ["gifts after an own transaction, and more", [gift, own, gift], false, false],
  ["an operation in another's transaction", [gift, drain, gift], true, true],
  ["one operation among others in another's transaction", [exchange], true, true],
  ["one that failed", [record(stranger, [pay(closing, stranger)], false)], true, false],
  ["one before an own transaction", [gift, own, drain], true, false],
  ["a contract call of others", [call], true, true],
  ["the fee of another's transaction", [feeBy(closing)], true, true],
  ["a fee that somebody else paid", [feeBy(stranger)], true, false],
  ["a transaction in an unknown form", [gift, unreadable], true, true]
]

describe("an account that delivered less than the mediator paid", () => {
  for (const [name, records, complete, expected] of histories) {
    it(`${expected ? "may" : "cannot"} have been drained after ${name}`, () => {
      const account = AccountAddress.make(closing.publicKey())
      assert.strictEqual(mayHaveHeldMore({ records, complete }, account, Networks.TESTNET), expected)
    })
  }
})
