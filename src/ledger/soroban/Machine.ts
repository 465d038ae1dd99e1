import { xdr } from "@stellar/stellar-sdk"
import { keyOfCode, keyOfCodeName, keyOfInstance } from "../../xdr/LedgerKeys.ts"
import type { Header } from "../Header.ts"
import type { AuthFrame, Authorization } from "./Authorization.ts"
import type { Contracts } from "./Contract.ts"
import { createContract, uploadCode } from "./Creation.ts"
import type { Authenticator } from "./Credentials.ts"
import type { Engine } from "./Engine.ts"
import { EngineAuthenticator } from "./EngineAuthenticator.ts"
import { frameOf } from "./Frame.ts"
import { HostError, hostFail } from "./HostError.ts"
import { Journal } from "./Journal.ts"
import { type Meter, Work } from "./Meter.ts"
import { nativeAssetFunction } from "./NativeAsset.ts"
import type { Storage } from "./Storage.ts"
import { addressVal, sameAddress, strkeyOf, vec } from "./Values.ts"

const maxDepth = 100

export interface MachineOptions {
  readonly header: Header
  readonly networkId: Uint8Array
  readonly contracts: Contracts
  readonly storage: Storage
  readonly authorization: Authorization
  readonly meter: Meter
  /** `assume` takes every signature over an agreement as given. */
  readonly signatures: "verify" | "assume"
}

/** Runs one host function: the call stack, what it may touch, who agreed to it, and the events it leaves. */
export class Machine implements Engine {
  readonly header: Header
  readonly networkId: Uint8Array
  readonly storage: Storage
  readonly authorization: Authorization
  readonly authenticator: Authenticator
  readonly meter: Meter
  readonly journal = new Journal()
  private readonly contracts: Contracts
  private readonly stack: Array<xdr.ScAddress> = []

  constructor(options: MachineOptions) {
    this.header = options.header
    this.networkId = options.networkId
    this.storage = options.storage
    this.authorization = options.authorization
    this.meter = options.meter
    this.contracts = options.contracts
    this.authenticator = new EngineAuthenticator(this, options.signatures)
  }

  /** Runs a host function of an operation; a failure is thrown and leaves nothing behind. */
  run(fn: xdr.HostFunction): xdr.ScVal {
    this.meter.charge(Work.base)
    switch (fn.type) {
      case "hostFunctionTypeInvokeContract": {
        const { args, contractAddress, functionName } = fn.invokeContract
        return this.call(contractAddress, String(functionName), args)
      }
      case "hostFunctionTypeUploadContractWasm":
        return uploadCode(this, fn.wasm)
      case "hostFunctionTypeCreateContract":
        return addressVal(
          createContract(this, {
            preimage: fn.createContract.contractIdPreimage,
            executable: fn.createContract.executable,
            agreement: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractHostFn(fn.createContract),
            args: []
          })
        )
      case "hostFunctionTypeCreateContractV2":
        return addressVal(this.create(fn.createContractV2))
    }
  }

  private create(asked: xdr.CreateContractArgsV2): xdr.ScAddress {
    return createContract(this, {
      preimage: asked.contractIdPreimage,
      executable: asked.executable,
      agreement: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(asked),
      args: asked.constructorArgs
    })
  }

  /** Creates a contract of code in the name of a deployer, and runs its constructor. */
  deploy(deployer: xdr.ScAddress, salt: Uint8Array, codeHash: Uint8Array, args: ReadonlyArray<xdr.ScVal>): xdr.ScAddress {
    const preimage = new xdr.ContractIdPreimageFromAddress({ address: deployer, salt })
    return this.create(
      new xdr.CreateContractArgsV2({
        contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(preimage),
        executable: xdr.ContractExecutable.contractExecutableWasm(codeHash),
        constructorArgs: [...args]
      })
    )
  }

  /** Calls a contract. What it changed is undone when it fails. */
  call(contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>): xdr.ScVal {
    if (this.stack.length >= maxDepth) hostFail("Context", "ExceededLimit")
    if (this.stack.some((running) => sameAddress(running, contract))) {
      hostFail("Context", "InvalidAction", "Contract re-entry is not allowed")
    }
    return this.inFrame(contract, () => {
      const [only] = args
      const given = args.length === 1 && only !== undefined ? only : vec(...args)
      this.journal.noteCall(contract, fn, given)
      const result = this.dispatch(contract, fn, args)
      this.journal.noteReturn(contract, fn, result)
      return result
    })
  }

  /** As `call`; a failure that can be survived comes back as an error value. */
  tryCall(contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>): xdr.ScVal {
    try {
      return this.call(contract, fn, args)
    } catch (error) {
      if (!(error instanceof HostError) || !error.isRecoverable) throw error
      return error.value.type === "Contract" ? error.toScVal() : new HostError({ type: "Context", code: "InvalidAction" }).toScVal()
    }
  }

  /** Runs something as a contract that is on the stack. */
  inFrame<Result>(contract: xdr.ScAddress, body: () => Result): Result {
    return this.guarded({ contract }, () => {
      this.stack.push(contract)
      try {
        return body()
      } catch (error) {
        if (error instanceof HostError) error.raisedIn ??= contract
        throw error
      } finally {
        this.stack.pop()
      }
    })
  }

  /** Runs something under a frame of authorisation; its changes, agreements and events are undone when it fails. */
  guarded<Result>(frame: AuthFrame, body: () => Result): Result {
    const storage = this.storage.snapshot()
    const undoEvents = this.journal.begin()
    this.authorization.push(frame)
    const undoAuthorization = this.authorization.snapshot()
    try {
      return body()
    } catch (error) {
      this.storage.restore(storage)
      undoAuthorization()
      undoEvents()
      throw error
    } finally {
      this.authorization.pop()
    }
  }

  private dispatch(contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>): xdr.ScVal {
    const { executable } = this.instanceOf(contract)
    const frame = frameOf(this, contract, fn, args)
    switch (executable.type) {
      case "contractExecutableStellarAsset": {
        this.meter.charge(Work.nativeCall)
        const native = nativeAssetFunction(fn) ?? hostFail("Context", "MissingValue", `unknown function ${fn}`)
        if (args.length !== native.arity) hostFail("Context", "UnexpectedSize", "wrong number of args to func")
        return native.run(frame, args)
      }
      case "contractExecutableWasm":
      case "contractExecutableExternalRef": {
        const hash = executable.type === "contractExecutableWasm" ? executable.wasmHash.toBytes() : this.codeNamed(executable.externalRef)
        this.readCode(hash)
        const model = this.contracts.find(strkeyOf(contract), Buffer.from(hash).toString("hex")) ??
          hostFail("WasmVm", "InvalidAction", "no model stands in for this code")
        this.meter.charge(model.instructions ?? Work.compiledCall)
        const compiled = (Object.hasOwn(model.functions, fn) ? model.functions[fn] : undefined) ??
          hostFail("WasmVm", "MissingValue", "trying to invoke non-existent contract function")
        if (args.length !== compiled.arity) hostFail("WasmVm", "UnexpectedSize", "wrong number of arguments")
        return compiled.run(frame, args)
      }
    }
  }

  /** What the owner of a reference says now that runs under it; the owner is not called. */
  private codeNamed(reference: xdr.ContractExecutableExternalRef): Uint8Array {
    this.meter.charge(Work.storageAccess)
    const data = this.storage.require(keyOfCodeName(reference)).data
    const value = data.type === "contractData" ? data.contractData.val : null
    return value?.type === "scvBytes" && value.bytes.toBytes().length === 32
      ? value.bytes.toBytes()
      : hostFail("Storage", "InternalError", "the entry of an external reference holds no hash of code")
  }

  /** Runs the constructor of a contract, if it has one. */
  construct(contract: xdr.ScAddress, hash: Uint8Array, args: ReadonlyArray<xdr.ScVal>): void {
    const model = this.contracts.find(strkeyOf(contract), Buffer.from(hash).toString("hex"))
    if (model?.functions["__constructor"] === undefined) {
      if (args.length > 0) hostFail("Context", "InvalidAction", "the contract has no constructor")
      return
    }
    this.call(contract, "__constructor", args)
  }

  instanceOf(contract: xdr.ScAddress): xdr.ScContractInstance {
    this.meter.charge(Work.storageAccess)
    const data = this.storage.require(keyOfInstance(contract)).data
    return data.type === "contractData" && data.contractData.val.type === "scvContractInstance"
      ? data.contractData.val.instance
      : hostFail("Storage", "InternalError", "ledger entry for contract instance does not contain contract instance")
  }

  readCode(hash: Uint8Array): void {
    this.meter.charge(Work.storageAccess)
    this.storage.require(keyOfCode(hash))
  }

  /** A contract's event. */
  emit(contract: xdr.ScAddress, topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal): void {
    this.meter.charge(Work.event)
    this.journal.emit(contract, topics, data)
  }
}
