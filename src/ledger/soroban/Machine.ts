import { xdr } from "@stellar/stellar-sdk"
import { keyOfCode, keyOfCodeName, keyOfInstance } from "../../xdr/LedgerKeys.ts"
import type { Header } from "../Header.ts"
import type { AuthFrame, Authorization } from "./Authorization.ts"
import type { ContractModel, Contracts } from "./Contract.ts"
import { createContract, uploadCode } from "./Creation.ts"
import type { Authenticator } from "./Credentials.ts"
import type { Engine } from "./Engine.ts"
import { EngineAuthenticator } from "./EngineAuthenticator.ts"
import { frameOf } from "./Frame.ts"
import { contractFail, HostError, hostFail, surviving } from "./HostError.ts"
import { Journal } from "./Journal.ts"
import { type Meter, Work } from "./Meter.ts"
import { nativeAssetFunction } from "./NativeAsset.ts"
import type { Storage } from "./Storage.ts"
import { addressVal, sameAddress, strkeyOf } from "./Values.ts"

/** How many contracts may be under way at once: of the host's 100 frames, one is the operation's. */
const maxContracts = 99

/** How names of functions begin that only the host calls. */
const reserved = "__"

const constructorName = "__constructor"

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
    const undoEvents = this.journal.begin()
    try {
      return this.runHostFunction(fn)
    } catch (error) {
      undoEvents()
      throw error
    }
  }

  private runHostFunction(fn: xdr.HostFunction): xdr.ScVal {
    this.meter.charge(Work.base)
    switch (fn.type) {
      case "hostFunctionTypeInvokeContract": {
        const { args, contractAddress, functionName } = fn.invokeContract
        if (contractAddress.type !== "scAddressTypeContract") {
          hostFail("Value", "UnexpectedType", "invoked address doesn't belong to a contract")
        }
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
    if (fn.startsWith(reserved)) hostFail("Context", "InvalidAction", "can't invoke a reserved function directly")
    this.refuseReentry(contract)
    return this.enter(contract, fn, args)
  }

  private refuseReentry(contract: xdr.ScAddress): void {
    if (this.stack.some((running) => sameAddress(running, contract))) {
      hostFail("Context", "InvalidAction", "Contract re-entry is not allowed")
    }
  }

  private enter(contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>): xdr.ScVal {
    this.journal.noteCall(this.stack.at(-1) ?? null, contract, fn, args)
    const result = this.inFrame(contract, () => notAnError(this.dispatch(contract, fn, args)))
    this.journal.noteReturn(contract, fn, result)
    return result
  }

  /** Asks a contract whether it agreed to a payload; fails unless it did. It may be the one that runs now. */
  askAccount(contract: xdr.ScAddress, args: ReadonlyArray<xdr.ScVal>): void {
    const running = this.stack.at(-1)
    if (running === undefined || !sameAddress(running, contract)) this.refuseReentry(contract)
    if (this.enter(contract, "__check_auth", args).type !== "scvVoid") hostFail("Value", "UnexpectedType")
  }

  /** As `call`; a failure that can be survived comes back as an error value. */
  tryCall(contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>): xdr.ScVal {
    return surviving(
      () => this.call(contract, fn, args),
      (error) => (error.value.type === "Contract" ? error : new HostError({ type: "Context", code: "InvalidAction" })).toScVal()
    )
  }

  /** Runs something as a contract that is on the stack. */
  inFrame<Result>(contract: xdr.ScAddress, body: () => Result): Result {
    if (this.stack.length >= maxContracts) hostFail("Context", "ExceededLimit")
    return this.guarded(contract, () => {
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
    const hash = this.codeOf(this.instanceOf(contract).executable)
    const frame = frameOf(this, contract, fn, args)
    if (hash === null) {
      this.meter.charge(Work.nativeCall)
      const native = nativeAssetFunction(fn) ?? hostFail("Context", "MissingValue", `unknown function ${fn}`)
      if (args.length !== native.arity) hostFail("Context", "UnexpectedSize", "wrong number of args to func")
      return native.run(frame, args)
    }
    const model = this.modelOf(contract, hash) ?? hostFail("WasmVm", "InvalidAction", "no model stands in for this code")
    this.meter.charge(model.instructions ?? Work.compiledCall)
    const compiled = (Object.hasOwn(model.functions, fn) ? model.functions[fn] : undefined) ??
      hostFail("WasmVm", "MissingValue", "trying to invoke non-existent contract function")
    if (args.length !== compiled.arity) hostFail("WasmVm", "UnexpectedSize", "wrong number of arguments")
    return compiled.run(frame, args)
  }

  private modelOf(contract: xdr.ScAddress, hash: Uint8Array): ContractModel | undefined {
    return this.contracts.find(strkeyOf(contract), Buffer.from(hash).toString("hex"))
  }

  /** The hash of the code that an executable runs, which must exist; null for the contract of an asset. */
  codeOf(executable: xdr.ContractExecutable): Uint8Array | null {
    if (executable.type === "contractExecutableStellarAsset") return null
    const hash = executable.type === "contractExecutableWasm" ? executable.wasmHash.toBytes() : this.codeNamed(executable.externalRef)
    this.meter.charge(Work.storageAccess)
    this.storage.require(keyOfCode(hash))
    return hash
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

  /** Runs the constructor of a new contract, if it has one. */
  construct(contract: xdr.ScAddress, hash: Uint8Array, args: ReadonlyArray<xdr.ScVal>): void {
    if (this.modelOf(contract, hash)?.functions[constructorName] === undefined && args.length === 0) return
    // What it fails with is not for those who call the deployer.
    const result = surviving(
      () => this.enter(contract, constructorName, args),
      () => hostFail("Context", "InvalidAction", "constructor invocation has failed with error")
    )
    if (result.type !== "scvVoid") hostFail("Value", "UnexpectedType", "constructor returned non-void value")
  }

  instanceOf(contract: xdr.ScAddress): xdr.ScContractInstance {
    this.meter.charge(Work.storageAccess)
    const data = this.storage.require(keyOfInstance(contract)).data
    return data.type === "contractData" && data.contractData.val.type === "scvContractInstance"
      ? data.contractData.val.instance
      : hostFail("Storage", "InternalError", "ledger entry for contract instance does not contain contract instance")
  }

  /** A contract's event. */
  emit(contract: xdr.ScAddress, topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal): void {
    this.meter.charge(Work.event)
    this.journal.emit(contract, topics, data)
  }
}

/** A contract fails by an error value that it returns as well; only errors of its own keep their number. */
const notAnError = (result: xdr.ScVal): xdr.ScVal => {
  if (result.type !== "scvError") return result
  return result.error.type === "sceContract"
    ? contractFail(result.error.contractCode, "escalating Ok(ScErrorType::Contract) frame-exit to Err")
    : hostFail("Context", "InvalidAction", "frame-exit with Ok(Error) carrying a non-ScErrorType::Contract Error")
}
