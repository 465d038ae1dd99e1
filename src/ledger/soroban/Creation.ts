import { xdr } from "@stellar/stellar-sdk"
import { keyOfCode, keyOfInstance } from "../../xdr/LedgerKeys.ts"
import { sha256 } from "../Signatures.ts"
import { initializeAsset } from "./AssetInstance.ts"
import { contractCode, contractData, contractIdOf } from "./ContractEntries.ts"
import type { Engine } from "./Engine.ts"
import { frameOf } from "./Frame.ts"
import { hostFail } from "./HostError.ts"
import { bytes, contractAddress } from "./Values.ts"

/** Stores code under its hash. The code is not looked into: what it does, a model must say. */
export const uploadCode = ({ storage }: Engine, code: Uint8Array): xdr.ScVal => {
  if (code.length === 0) hostFail("WasmVm", "InvalidAction", "the code is empty")
  const hash = sha256(code)
  const key = keyOfCode(hash)
  if (!storage.has(key)) storage.put(key, contractCode(hash, code))
  return bytes(hash)
}

interface Creation {
  readonly preimage: xdr.ContractIdPreimage
  readonly executable: xdr.ContractExecutable
  /** What a deployer must have agreed to. */
  readonly agreement: xdr.SorobanAuthorizedFunction
  readonly args: ReadonlyArray<xdr.ScVal>
}

/** Creates a contract. Anyone may create the contract of an asset; one with code needs the agreement of the address in its preimage. */
export const createContract = (engine: Engine, creation: Creation): xdr.ScAddress => {
  const { executable, preimage } = creation
  const isOfAsset = preimage.type === "contractIdPreimageFromAsset"
  if (isOfAsset !== (executable.type === "contractExecutableStellarAsset")) hostFail("Value", "InvalidInput")
  if (isOfAsset) return create(engine, creation)
  return engine.guarded(null, () => {
    engine.authorization.require(preimage.fromAddress.address, creation.agreement, engine.authenticator)
    return create(engine, creation)
  })
}

/** Creates a contract to which its deployer agreed, if it has one, and fills it or runs its constructor. */
const create = (engine: Engine, { args, executable, preimage }: Creation): xdr.ScAddress => {
  const contract = contractAddress(contractIdOf(preimage, engine.networkId))
  const key = keyOfInstance(contract)
  if (engine.storage.has(key)) hostFail("Storage", "ExistingValue", "contract already exists")
  const code = engine.codeOf(executable)
  const instance = new xdr.ScContractInstance({ executable, storage: null })
  engine.storage.put(
    key,
    contractData(contract, xdr.ScVal.scvLedgerKeyContractInstance(), "persistent", xdr.ScVal.scvContractInstance(instance))
  )
  if (preimage.type === "contractIdPreimageFromAsset") {
    engine.inFrame(contract, () => initializeAsset(frameOf(engine, contract, "init_asset", []), preimage.fromAsset))
  }
  if (code !== null) engine.construct(contract, code, args)
  return contract
}
