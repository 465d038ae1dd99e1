import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Draft } from "../../../src/ledger/Draft.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { noContracts, registerContracts } from "../../../src/ledger/soroban/Contract.ts"
import { testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"
import { sorobanContext } from "../../../src/ledger/soroban/SorobanContext.ts"
import { u32 } from "../../../src/ledger/soroban/Values.ts"
import { readTransaction } from "../../../src/ledger/Transaction.ts"
import { bump } from "../support/Bodies.ts"
import { networkId, networkPassphrase } from "../support/World.ts"
import { ample, ContractWorld, lostFee } from "./support/ContractWorld.ts"
import { contract } from "./support/Entries.ts"
import { operationOf } from "./support/Operations.ts"

describe("what a contract operation runs with", () => {
  const contextOf = (body: xdr.OperationBody, ext: xdr.TransactionExt, options: Parameters<typeof sorobanContext>[2]) => {
    const at = new ContractWorld()
    const payer = at.account()
    at.put(newEntry(xdr.LedgerEntryData.configSetting(xdr.ConfigSettingEntry.configSettingContractMaxSizeBytes(123))))
    const envelope = at.envelope(payer, body, data, { ext })
    const transaction = readTransaction(envelope, networkPassphrase)
    if (transaction._tag !== "PlainTransaction") return assert.fail("no plain transaction")
    return { envelope, context: sorobanContext(Draft.of(at.state), transaction, options) }
  }
  const data = ample([], [])
  const resources = xdr.TransactionExt.sorobanData(data)
  const options = { networkPassphrase, signatures: "assume" } as const
  const invoke = xdr.OperationBody.invokeHostFunction(operationOf(contract, "give", [u32(1)]))

  it("is its resources, the settings of the ledger, and what the ledger is applied with", () => {
    const { context, envelope } = contextOf(invoke, resources, options)
    assert(context !== undefined)
    const { receipt, ...rest } = context
    const settings = { ...testNetworkSettings, maxContractSize: 123 }
    assert.deepStrictEqual(rest, { data, settings, networkId, contracts: noContracts, signatures: "assume" })
    assert.deepStrictEqual([receipt.nonRefundable, receipt.refund], [lostFee(envelope), data.resourceFee - lostFee(envelope)])
    const contracts = registerContracts([])
    assert.strictEqual(contextOf(invoke, resources, { ...options, contracts }).context?.contracts, contracts)
  })

  it("is nothing without resources, and for a classic operation", () => {
    assert.isUndefined(contextOf(invoke, xdr.TransactionExt.v0(), options).context)
    assert.isUndefined(contextOf(bump(1n), resources, options).context)
  })
})
