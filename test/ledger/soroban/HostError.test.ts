import { assert, describe, it } from "@effect/vitest"
import { contractFail, HostError, hostFail } from "../../../src/ledger/soroban/HostError.ts"
import { refusalOf } from "./support/HostErrors.ts"

describe("an error of the host", () => {
  it("says its kind and code, and its detail where there is one", () => {
    assert.strictEqual(refusalOf(() => hostFail("Storage", "MissingValue")), "HostError: Error(Storage, MissingValue)")
    assert.strictEqual(refusalOf(() => hostFail("Value", "InvalidInput", "a detail")), "HostError: Error(Value, InvalidInput): a detail")
    assert.strictEqual(refusalOf(() => contractFail(10)), "HostError: Error(Contract, #10)")
    assert.strictEqual(refusalOf(() => contractFail(0, "a detail")), "HostError: Error(Contract, #0): a detail")
    const error = new HostError({ type: "Auth", code: "InvalidAction" }, "a detail")
    assert.deepStrictEqual([error.name, error.code], ["HostError", "Error(Auth, InvalidAction)"])
  })

  it("lets a calling contract go on, but for faults of the host and for what is used up", () => {
    const recoverable = [
      { type: "Contract", code: 3 },
      { type: "Storage", code: "MissingValue" },
      { type: "Budget", code: "InvalidInput" },
      { type: "Context", code: "ExceededLimit" },
      { type: "Value", code: "InvalidInput" }
    ] as const
    for (const value of recoverable) assert.isTrue(new HostError(value).isRecoverable, JSON.stringify(value))
    const final = [
      { type: "Storage", code: "ExceededLimit" },
      { type: "Budget", code: "ExceededLimit" },
      { type: "Storage", code: "InternalError" },
      { type: "Context", code: "InternalError" }
    ] as const
    for (const value of final) assert.isFalse(new HostError(value).isRecoverable, JSON.stringify(value))
  })

  it("is a value for a contract that goes on", () => {
    assert.deepStrictEqual(new HostError({ type: "Contract", code: 7 }).toScVal().toJson(), { error: { contract: 7 } })
    assert.deepStrictEqual(new HostError({ type: "WasmVm", code: "ExistingValue" }).toScVal().toJson(), {
      error: { wasm_vm: "existing_value" }
    })
  })
})
