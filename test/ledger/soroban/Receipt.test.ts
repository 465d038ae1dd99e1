import { assert, describe, it } from "@effect/vitest"
import { contractFunction, type ContractModel } from "../../../src/ledger/soroban/Contract.ts"
import { Receipt } from "../../../src/ledger/soroban/Receipt.ts"
import { sorobanDataOf } from "../../../src/ledger/soroban/Resources.ts"
import { testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"
import { u32, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { readTransaction } from "../../../src/ledger/Transaction.ts"
import { networkPassphrase } from "../support/World.ts"
import { ContractWorld } from "./support/ContractWorld.ts"

const idle: ContractModel = { functions: { idle: contractFunction([], () => voidVal) } }

const setUp = () => {
  const world = new ContractWorld(idle)
  const transaction = readTransaction(world.callEnvelope(world.account(), world.deploy(idle), "idle", []), networkPassphrase)
  if (transaction._tag !== "PlainTransaction") return assert.fail("no plain transaction")
  const data = sorobanDataOf(transaction.tx) ?? assert.fail("the transaction has no resources")
  return Receipt.of(transaction, data, testNetworkSettings)
}

describe("the receipt of a contract transaction", () => {
  it("covers rent up to what may come back, and gives back the rest", () => {
    const receipt = setUp()
    const whole = receipt.refund
    assert.isTrue(whole > 1n)
    assert.isTrue(receipt.consume(whole - 1n, 0))
    assert.strictEqual(receipt.refund, 1n)
    assert.isTrue(receipt.consume(whole, 0))
    assert.strictEqual(receipt.refund, 0n)
    assert.isFalse(receipt.consume(whole + 1n, 0))
    receipt.fail()
    assert.strictEqual(receipt.refund, whole)
  })

  it("has what the call gave, unless the transaction fails", () => {
    const receipt = setUp()
    assert.deepStrictEqual([receipt.returnValue, receipt.events, receipt.diagnosticEvents], [undefined, [], []])
    receipt.complete({ returnValue: u32(7), events: [] })
    assert.deepStrictEqual([receipt.returnValue, receipt.toMeta().returnValue], [u32(7), u32(7)])
    receipt.fail()
    assert.deepStrictEqual([receipt.returnValue, receipt.toMeta().returnValue], [undefined, null])
  })
})
