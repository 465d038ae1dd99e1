import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { native } from "../../../src/ledger/Asset.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { contractFunction, noContracts, registerContracts } from "../../../src/ledger/soroban/Contract.ts"
import { contractCode, contractData } from "../../../src/ledger/soroban/ContractEntries.ts"
import { Lifetimes } from "../../../src/ledger/soroban/Life.ts"
import type { MachineOptions } from "../../../src/ledger/soroban/Machine.ts"
import { testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"
import { Storage } from "../../../src/ledger/soroban/Storage.ts"
import { bytes, string, strkeyOf, symbol, u32, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { instanceVal, keyOfCode, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { nameKeyOf, referenceTo } from "../../close/leaving/support/ByReference.ts"
import { refusalOf } from "./support/HostErrors.ts"
import { hashOf, kept, keptBy, machineWith, made, maker, one, other, worker, world } from "./support/Workers.ts"

const lives = new Lifetimes(world.ledgerSeq, testNetworkSettings)

type Stored = ReadonlyArray<readonly [xdr.LedgerKey, xdr.LedgerEntryData]>

/** A storage of nothing but these entries. */
const storageOf = (...entries: Stored): Storage =>
  Storage.enforcing(
    { readOnly: entries.map(([key]) => key), readWrite: [] },
    entries.map(([key, data]) => [key, { entry: newEntry(data), liveUntil: lives.maxLiveUntil }]),
    lives
  )

const instanceData = (executable: xdr.ContractExecutable): xdr.LedgerEntryData =>
  contractData(one, instanceVal, "persistent", xdr.ScVal.scvContractInstance(new xdr.ScContractInstance({ executable, storage: null })))

describe("what a contract runs", () => {
  const give = (contract: xdr.ScAddress, changed: Partial<MachineOptions>, ...args: ReadonlyArray<xdr.ScVal>) => {
    const machine = machineWith(changed)
    return [refusalOf(() => machine.call(contract, "give", args)), machine.meter.used]
  }

  it("is a model of its code, or of the contract itself, at the model's own price or that of any code", () => {
    const lookups = 2 * 12_000
    const contracts = registerContracts([
      { model: { ...worker, instructions: 0 }, wasmHashes: [world.hashOf(worker)] },
      { model: { functions: { give: contractFunction([], () => voidVal) } }, addresses: [strkeyOf(other)] }
    ])
    assert.deepStrictEqual(give(one, { contracts }, u32(1)), ["success", lookups + 10_000])
    assert.deepStrictEqual(give(other, { contracts }), ["success", lookups + 550_000])
    assert.deepStrictEqual(give(one, { contracts: noContracts }, u32(1)), [
      "HostError: Error(WasmVm, InvalidAction): no model stands in for this code",
      lookups
    ])
  })

  it("has the called function, with the same number of arguments", () => {
    const refusal = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) => refusalOf(() => machineWith().call(one, fn, args))
    const missing = "HostError: Error(WasmVm, MissingValue): trying to invoke non-existent contract function"
    assert.deepStrictEqual([refusal("take"), refusal("toString"), refusal("")], [missing, missing, missing])
    const wrong = "HostError: Error(WasmVm, UnexpectedSize): wrong number of arguments"
    assert.deepStrictEqual([refusal("give"), refusal("give", u32(1)), refusal("give", u32(1), u32(2))], [wrong, "success", wrong])
  })

  it("is the host's own for an asset", () => {
    const machine = machineWith()
    const asset = world.asset(native)
    assert.deepStrictEqual(machine.call(asset, "decimals", []), u32(7))
    assert.strictEqual(machine.meter.used, 12_000 + 60_000)
    const unknown = "HostError: Error(Context, MissingValue): unknown function toString"
    assert.strictEqual(refusalOf(() => machine.call(asset, "toString", [])), unknown)
    const wrong = "HostError: Error(Context, UnexpectedSize): wrong number of args to func"
    assert.strictEqual(refusalOf(() => machine.call(asset, "decimals", [voidVal])), wrong)
  })

  it("is the code whose hash its owner names, and the owner must name a hash", () => {
    const instance = instanceData(xdr.ContractExecutable.contractExecutableExternalRef(referenceTo(other)))
    const code = contractCode(hashOf(worker), new Uint8Array())
    const named = (data: xdr.LedgerEntryData) =>
      give(one, { storage: storageOf([keyOfInstance(one), instance], [nameKeyOf(other), data], [keyOfCode(hashOf(worker)), code]) }, u32(1))
    const saying = (value: xdr.ScVal) => named(contractData(other, xdr.ScVal.scvExecutableTag("pool"), "persistent", value))
    const text = "HostError: Error(Storage, InternalError): the entry of an external reference holds no hash of code"
    assert.deepStrictEqual(saying(bytes(hashOf(worker))), ["success", 3 * 12_000 + 550_000 + 10_000])
    assert.deepStrictEqual([saying(u32(1)), named(code)], [[text, 2 * 12_000], [text, 2 * 12_000]])
    for (const length of [31, 33]) assert.match(String(saying(bytes(new Uint8Array(length)))[0]), /^HostError: Error\(/)
  })

  it("needs both an instance and code that exist", () => {
    assert.strictEqual(
      refusalOf(() => machineWith().codeOf(xdr.ContractExecutable.contractExecutableWasm(new Uint8Array(32)))),
      "HostError: Error(Storage, MissingValue): trying to get non-existing value for contract code"
    )
    const own = instanceData(xdr.ContractExecutable.contractExecutableWasm(hashOf(worker)))
    const refusal = (...entries: Stored) => refusalOf(() => machineWith({ storage: storageOf(...entries) }).call(one, "give", [u32(1)]))
    const text = "HostError: Error(Storage, InternalError): ledger entry for contract instance does not contain contract instance"
    const code = contractCode(hashOf(worker), new Uint8Array())
    assert.deepStrictEqual(
      [
        refusal([keyOfInstance(one), contractData(one, instanceVal, "persistent", voidVal)]),
        refusal([keyOfInstance(one), code]),
        refusal([keyOfInstance(one), own]),
        refusal([keyOfInstance(one), own], [keyOfCode(hashOf(worker)), code])
      ],
      [text, text, "HostError: Error(Storage, ExceededLimit): trying to access contract code outside of the footprint", "success"]
    )
  })
})

describe("a constructor", () => {
  it("runs with the arguments", () => {
    const machine = machineWith()
    machine.construct(maker, hashOf(made), [u32(8)])
    assert.deepStrictEqual(keptBy(machine, maker), contractData(maker, kept, "persistent", u32(8)))
  })

  it("gives back nothing, and keeps its error to itself unless nothing survives that", () => {
    const refusal = (value: xdr.ScVal) => refusalOf(() => machineWith().construct(maker, hashOf(made), [value]))
    assert.deepStrictEqual([string("1"), symbol("trap"), symbol("spend")].map(refusal), [
      "HostError: Error(Value, UnexpectedType): constructor returned non-void value",
      "HostError: Error(Context, InvalidAction): constructor invocation has failed with error",
      "HostError: Error(Budget, ExceededLimit)"
    ])
  })

  it("that takes arguments is not left out where there are none", () => {
    assert.strictEqual(
      refusalOf(() => machineWith().construct(maker, hashOf(made), [])),
      "HostError: Error(Context, InvalidAction): constructor invocation has failed with error"
    )
  })

  it("need not exist where there are no arguments", () => {
    const text = "HostError: Error(Context, InvalidAction): constructor invocation has failed with error"
    for (const contracts of [world.options.contracts, noContracts]) {
      const refusal = (...args: ReadonlyArray<xdr.ScVal>) =>
        refusalOf(() => machineWith({ contracts }).construct(one, hashOf(worker), args))
      assert.deepStrictEqual([refusal(), refusal(u32(1)), refusal(u32(1), u32(2))], ["success", text, text])
    }
  })
})
