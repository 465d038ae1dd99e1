import { assert, describe, it } from "@effect/vitest"
import { Account, Asset, Keypair, Networks, Operation, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { forwardingOf } from "../../src/close/mediator/MediatedEnvelope.ts"
import { innermost, readTransaction } from "../../src/ledger/Transaction.ts"

const [closer, mediator, exchange, other] = Array.from({ length: 4 }, () => Keypair.random().publicKey()) as [
  string,
  string,
  string,
  string
]

const transactionOf = (...operations: ReadonlyArray<xdr.Operation>) => {
  const builder = new TransactionBuilder(new Account(closer, "7"), { fee: "100", networkPassphrase: Networks.TESTNET })
  for (const operation of operations) builder.addOperation(operation)
  return innermost(readTransaction(builder.setTimeout(0).build().toEnvelope(), Networks.TESTNET))
}

const merge = (source = closer) => Operation.accountMerge({ source, destination: mediator })

const pay = (change: { readonly source?: string; readonly asset?: Asset } = {}) =>
  Operation.payment({ source: mediator, destination: exchange, asset: Asset.native(), amount: "12.5", ...change })

describe("a transaction that a mediator passes on", () => {
  it("is a merge into it and its payment of lumens, and nothing else", () => {
    assert.deepStrictEqual(forwardingOf(transactionOf(merge(), pay())), {
      closer,
      mediator,
      destination: exchange,
      amount: 125_000_000n,
      fee: 200n
    })
    const others: Readonly<Record<string, ReadonlyArray<xdr.Operation>>> = {
      "no operation": [],
      "the merge alone": [merge()],
      "the payment alone": [pay()],
      "a third operation": [merge(), pay(), pay()],
      "two payments": [pay(), pay()],
      "two merges": [merge(), merge(mediator)],
      "the payment first": [pay(), merge()],
      "another asset": [merge(), pay({ asset: new Asset("USD", other) })],
      "the merge of another account": [merge(other), pay()],
      "a payment by another account": [merge(), pay({ source: other })],
      "a payment by the account itself": [merge(), pay({ source: closer })]
    }
    for (const [name, operations] of Object.entries(others)) assert.isNull(forwardingOf(transactionOf(...operations)), name)
  })
})
