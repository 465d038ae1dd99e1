import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import { contractFunction, type ContractModel } from "../../../src/ledger/soroban/Contract.ts"
import { contractCode } from "../../../src/ledger/soroban/ContractEntries.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { addressVal, bytes, u32, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { keyOfCode } from "../../../src/xdr/LedgerKeys.ts"
import { keepingCode, referenceTo } from "../../close/leaving/support/ByReference.ts"
import { assetOf } from "../support/Bodies.ts"
import { callOf, madeBy, tree } from "./support/Agreements.ts"
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

/** The operation that creates a contract with arguments for its constructor. */
const creation = (contractIdPreimage: xdr.ContractIdPreimage, executable: xdr.ContractExecutable, constructorArgs: Array<xdr.ScVal>) =>
  new xdr.InvokeHostFunctionOp({
    hostFunction: xdr.HostFunction.hostFunctionTypeCreateContractV2(
      new xdr.CreateContractArgsV2({ contractIdPreimage, executable, constructorArgs })
    ),
    auth: []
  })

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
      [create(asset, ofCode), create(madeBy(addressIn(alice)), ofAsset)].map(refusal),
      [mixed, mixed]
    )
    assert.deepStrictEqual(
      [create(asset, ofAsset), create(madeBy(addressIn(alice)), ofCode)].map(refusal),
      ["success", "success"]
    )
  })

  it("is refused for code that is nowhere", () => {
    const { alice, refusal } = setUp()
    assert.strictEqual(
      refusal(create(madeBy(addressIn(alice)), ofCode)),
      "HostError: Error(Storage, MissingValue): trying to get non-existing value for contract code"
    )
  })

  it("by reference to another one needs the name of its code, and runs the constructor", () => {
    const builder: ContractModel = { functions: { __constructor: contractFunction(["u32"], (host, [code]) => host.fail(code)) } }
    const world = new ContractWorld(builder)
    const alice = world.account()
    const owner = world.deploy(builder)
    const executable = xdr.ContractExecutable.contractExecutableExternalRef(referenceTo(owner))
    const refusal = (...args: Array<xdr.ScVal>) =>
      textOf(world.simulateOperation(alice, creation(madeBy(addressIn(alice)), executable, args)))
    assert.strictEqual(refusal(), "HostError: Error(Storage, MissingValue): trying to get non-existing value for contract data key")
    world.state = keepingCode(world.state, owner, Buffer.from(world.hashOf(builder), "hex"))
    assert.strictEqual(refusal(u32(3)), "HostError: Error(Context, InvalidAction): constructor invocation has failed with error")
  })
})

describe("a constructor of which its deployer must agree", () => {
  const asking: ContractModel = {
    functions: {
      __constructor: contractFunction(["address"], (host, [who]) => {
        host.requireAuth(who)
        return voidVal
      })
    }
  }

  const deployer: ContractModel = {
    functions: {
      make: contractFunction(["bytes"], (host, [hash]) => addressVal(host.deploy(new Uint8Array(32), hash, addressVal(host.address))))
    }
  }

  it("has that agreement under the one about the creation", () => {
    const world = new ContractWorld(asking)
    const alice = world.account()
    world.deploy(asking)
    const ofModel = xdr.ContractExecutable.contractExecutableWasm(Buffer.from(world.hashOf(asking), "hex"))
    const simulated = world.simulateOperation(alice, creation(madeBy(addressIn(alice)), ofModel, [addressVal(addressIn(alice))]))
    assert(simulated._tag === "SimulatedCall" && simulated.returnValue.type === "scvAddress")
    const called = callOf(simulated.returnValue.address, "__constructor", [addressVal(addressIn(alice))])
    assert.deepStrictEqual(
      simulated.auth.map(({ rootInvocation }) => rootInvocation.subInvocations.map((each) => each.toJson())),
      [[tree(called).toJson()]]
    )
  })

  it("has none of a contract that deploys it, by that alone", () => {
    const world = new ContractWorld(asking, deployer)
    const alice = world.account()
    world.deploy(asking)
    const contract = world.deploy(deployer)
    const refusal = textOf(world.simulate(alice, contract, "make", bytes(Buffer.from(world.hashOf(asking), "hex"))))
    assert.strictEqual(refusal, "HostError: Error(Context, InvalidAction): constructor invocation has failed with error")
  })
})
