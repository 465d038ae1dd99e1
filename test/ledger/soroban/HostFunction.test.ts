import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import type { ContractModel } from "../../../src/ledger/soroban/Contract.ts"
import { contractCode, contractData, contractIdOf } from "../../../src/ledger/soroban/ContractEntries.ts"
import { addressVal, bytes, contractAddress, u32, vec } from "../../../src/ledger/soroban/Values.ts"
import { keyOfCode } from "../../../src/xdr/LedgerKeys.ts"
import { networkId } from "../support/World.ts"
import { madeBy } from "./support/Agreements.ts"
import { refusalOf } from "./support/HostErrors.ts"
import { operationOf } from "./support/Operations.ts"
import { agreedIn, hashOf, kept, keptBy, machineWith, made, one, source, worker } from "./support/Workers.ts"

describe("a host function", () => {
  it("calls a contract, and gives back what that gives", () => {
    const machine = machineWith()
    assert.deepStrictEqual(machine.run(operationOf(one, "pair", [u32(1), u32(2)]).hostFunction), vec(u32(1), u32(2)))
    assert.strictEqual(machine.meter.used, 120_000 + 2 * 12_000 + 550_000)
  })

  it("calls no account", () => {
    assert.strictEqual(
      refusalOf(() => machineWith().run(operationOf(source, "pair", []).hostFunction)),
      "HostError: Error(Value, UnexpectedType): invoked address doesn't belong to a contract"
    )
  })

  it("that fails leaves notes of what failed only", () => {
    const machine = machineWith()
    const asked = operationOf(one, "act_and_fail", [addressVal(source)]).hostFunction
    assert.strictEqual(refusalOf(() => machine.run(asked)), "HostError: Error(Contract, #42): failing with contract error")
    assert.deepStrictEqual(machine.journal.diagnosticEvents().map(({ inSuccessfulContractCall }) => inSuccessfulContractCall), [
      false,
      false
    ])
  })

  it("stores code under its hash", () => {
    const machine = machineWith()
    const code = Uint8Array.of(1, 2, 3)
    assert.deepStrictEqual(machine.run(xdr.HostFunction.hostFunctionTypeUploadContractWasm(code)), bytes(sha256(code)))
    assert.deepStrictEqual(machine.storage.get(keyOfCode(sha256(code)))?.data, contractCode(sha256(code), code))
    assert.strictEqual(machine.meter.used, 120_000)
  })

  it("creates a contract, with arguments for its constructor if that is asked for", () => {
    const contractIdPreimage = madeBy(source, new Uint8Array(32).fill(3))
    const address = contractAddress(contractIdOf(contractIdPreimage, networkId))
    const ofCode = (model: ContractModel) => xdr.ContractExecutable.contractExecutableWasm(hashOf(model))
    const plain = new xdr.CreateContractArgs({ contractIdPreimage, executable: ofCode(worker) })
    const given = new xdr.CreateContractArgsV2({ contractIdPreimage, executable: ofCode(made), constructorArgs: [u32(4)] })
    const { HostFunction, SorobanAuthorizedFunction: Agreement } = xdr
    const kinds = [
      [HostFunction.hostFunctionTypeCreateContract(plain), Agreement.sorobanAuthorizedFunctionTypeCreateContractHostFn(plain), worker],
      [HostFunction.hostFunctionTypeCreateContractV2(given), Agreement.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(given), made]
    ] as const
    for (const [asked, agreement, model] of kinds) {
      const machine = machineWith()
      assert.deepStrictEqual(machine.run(asked), addressVal(address))
      assert.deepStrictEqual(machine.instanceOf(address).executable, ofCode(model))
      assert.deepStrictEqual(agreedIn(machine), [agreement.toJson()])
      assert.deepStrictEqual(keptBy(machine, address), model === made ? contractData(address, kept, "persistent", u32(4)) : undefined)
    }
  })
})
