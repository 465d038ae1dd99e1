import { assert, describe, it } from "@effect/vitest"
import { Address, xdr } from "@stellar/stellar-sdk"
import type { OwnTransactions } from "../../src/close/situation/OwnTransactions.ts"
import { madeBefore } from "../../src/close/situation/SameCall.ts"
import { i128 } from "../../src/ledger/soroban/Values.ts"
import { anyContract } from "../support/Addresses.ts"

const value = (name: string) => Address.fromString(name).toScVal()

const [router, lumens, one, other] = [anyContract(), anyContract(), anyContract(), anyContract()]

/** A sale through a router. Its tokens stand in a vector as in `swap_exact_tokens_for_tokens`, or in a map. */
const sale = (amount: bigint, path: ReadonlyArray<string>, inMap = false): ReadonlyArray<xdr.ScVal> => {
  const tokens = xdr.ScVal.scvVec(path.map(value))
  return [
    i128(amount),
    i128(amount / 2n),
    inMap ? xdr.ScVal.scvMap([new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol("path"), val: tokens })]) : tokens
  ]
}

const history = (args: ReadonlyArray<xdr.ScVal>): OwnTransactions => ({
  whole: true,
  transactions: [{
    sequence: 7n,
    ledger: 50,
    writes: new Set(),
    wrote: new Set(),
    succeeded: true,
    operations: [
      new xdr.Operation({
        sourceAccount: null,
        body: xdr.OperationBody.invokeHostFunction(
          new xdr.InvokeHostFunctionOp({
            auth: [],
            hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(
              new xdr.InvokeContractArgs({
                contractAddress: Address.fromString(router).toScAddress(),
                functionName: "swap",
                args: [...args]
              })
            )
          })
        )
      })
    ],
    result: new xdr.TransactionResult({
      feeCharged: 100n,
      result: xdr.TransactionResultResult.txSuccess([]),
      ext: xdr.TransactionResultExt.v0()
    })
  }]
})

const seen = (before: ReadonlyArray<xdr.ScVal>, now: ReadonlyArray<xdr.ScVal>, bystanders?: ReadonlyArray<string>) =>
  madeBefore(history(before), {
    contract: router,
    function: "swap",
    args: now,
    subCalls: [],
    payouts: [],
    holds: [],
    recipients: [],
    ...(bystanders === undefined ? {} : { bystanders })
  })

describe("a call of the account's own history", () => {
  it("is the same whatever its amounts are", () => {
    assert.strictEqual(seen(sale(10n, [one, lumens]), sale(3n, [one, lumens])), 7n)
    assert.strictEqual(seen(sale(10n, [one, lumens], true), sale(3n, [one, lumens], true)), 7n)
  })

  it("is another one where its tokens differ, though they stand in a vector or a map", () => {
    assert.isNull(seen(sale(10n, [one, lumens]), sale(10n, [other, lumens])))
    assert.isNull(seen(sale(10n, [one, lumens], true), sale(10n, [other, lumens], true)))
  })

  it("is another one where the same tokens stand in another order", () => {
    assert.isNull(seen(sale(10n, [one, lumens]), sale(10n, [lumens, one])))
  })

  it("is the same whoever its bystanders were then and are now, and another one where the others differ", () => {
    const [alone, beside] = [[value(lumens), value(one)], [value(other), value(lumens), value(one)]]
    const [besideAnother, elsewhere] = [[value(router), value(lumens), value(one)], [value(other), value(one), value(lumens)]]
    assert.strictEqual(seen(alone, beside, [other]), 7n)
    assert.strictEqual(seen(beside, besideAnother, [router]), 7n)
    assert.strictEqual(seen(beside, alone, []), 7n)
    assert.isNull(seen(elsewhere, beside, [other]))
    assert.isNull(seen([value(lumens)], beside, [other]))
    // Without bystanders every address counts.
    assert.isNull(seen(beside, alone))
    assert.isNull(seen(alone, beside))
  })
})
