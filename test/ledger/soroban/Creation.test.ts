import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import { contractCode } from "../../../src/ledger/soroban/ContractEntries.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { bytes } from "../../../src/ledger/soroban/Values.ts"
import { keyOfCode } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf } from "../support/Bodies.ts"
import { addressIn, ContractWorld } from "./support/ContractWorld.ts"
import { textOf } from "./support/HostErrors.ts"

const code = Uint8Array.of(0, 97, 115, 109)
const hash = sha256(code)

const setUp = () => {
  const world = new ContractWorld()
  const alice = world.account()
  const simulate = (hostFunction: xdr.HostFunction) =>
    world.simulateOperation(alice, new xdr.InvokeHostFunctionOp({ hostFunction, auth: [] }))
  const refusal = (hostFunction: xdr.HostFunction): string => textOf(simulate(hostFunction))
  const store = () => world.put(newEntry(contractCode(hash, code)), ttlEntry(keyOfCode(hash), world.ledgerSeq + 1_000))
  return { world, alice, simulate, refusal, store }
}

const upload = (wasm: Uint8Array) => xdr.HostFunction.hostFunctionTypeUploadContractWasm(wasm)

const create = (contractIdPreimage: xdr.ContractIdPreimage, executable: xdr.ContractExecutable) =>
  xdr.HostFunction.hostFunctionTypeCreateContract(new xdr.CreateContractArgs({ contractIdPreimage, executable }))

const byAddress = (address: xdr.ScAddress) =>
  xdr.ContractIdPreimage.contractIdPreimageFromAddress(new xdr.ContractIdPreimageFromAddress({ address, salt: new Uint8Array(32) }))

const ofCode = xdr.ContractExecutable.contractExecutableWasm(hash)
const ofAsset = xdr.ContractExecutable.contractExecutableStellarAsset()

describe("uploading code", () => {
  /** The entries that the upload writes. */
  const written = ({ simulate }: ReturnType<typeof setUp>) => {
    const simulated = simulate(upload(code))
    if (simulated._tag === "FailedCall") return assert.fail(simulated.error.message)
    assert.deepStrictEqual(simulated.returnValue, bytes(hash))
    return simulated.estimate.data.resources.footprint.readWrite
  }

  it("writes it under its hash, unless it is there", () => {
    const parts = setUp()
    assert.deepStrictEqual(written(parts), [keyOfCode(hash)])
    parts.store()
    assert.deepStrictEqual(written(parts), [])
  })

  it("is refused for none", () => {
    assert.strictEqual(setUp().refusal(upload(new Uint8Array())), "HostError: Error(WasmVm, InvalidAction): the code is empty")
  })
})

describe("creating a contract", () => {
  it("is refused where an asset's contract has code, or another has none", () => {
    const { alice, refusal, store } = setUp()
    store()
    const asset = xdr.ContractIdPreimage.contractIdPreimageFromAsset(assetOf(alice))
    const mixed = "HostError: Error(Value, InvalidInput)"
    assert.deepStrictEqual(
      [create(asset, ofCode), create(byAddress(addressIn(alice)), ofAsset)].map(refusal),
      [mixed, mixed]
    )
    assert.deepStrictEqual(
      [create(asset, ofAsset), create(byAddress(addressIn(alice)), ofCode)].map(refusal),
      ["success", "success"]
    )
  })

  it("is refused for code that is nowhere", () => {
    const { alice, refusal } = setUp()
    assert.strictEqual(
      refusal(create(byAddress(addressIn(alice)), ofCode)),
      "HostError: Error(Storage, MissingValue): trying to get non-existing value for contract code"
    )
  })
})
