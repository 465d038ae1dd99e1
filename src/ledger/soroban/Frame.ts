import { xdr } from "@stellar/stellar-sdk"
import { type Durability, keyOfCode, keyOfContractData, keyOfInstance } from "../../xdr/LedgerKeys.ts"
import type { ContractHost, DataStore, LivingStore } from "./Contract.ts"
import { contractData } from "./ContractEntries.ts"
import type { Engine } from "./Engine.ts"
import { contractFail, hostFail } from "./HostError.ts"
import { Work } from "./Meter.ts"
import { compareValues, lookup, mapOf } from "./Values.ts"

/** One call of one contract, as that contract sees the host. The methods stand alone: they may be taken out of it. */
export interface Frame extends ContractHost {
  /** What only the contracts built into the host may use. */
  readonly engine: Engine
}

export const frameOf = (engine: Engine, address: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>): Frame => ({
  engine,
  address,
  ledger: {
    sequence: engine.header.ledgerSeq,
    timestamp: engine.header.closeTime,
    protocolVersion: engine.header.ledgerVersion,
    networkId: engine.networkId,
    maxLiveUntil: engine.storage.lives.maxLiveUntil
  },
  persistent: livingStore(engine, address, "persistent"),
  temporary: livingStore(engine, address, "temporary"),
  instance: instanceStore(engine, address),
  extendInstance: (threshold, extendTo) => {
    const { executable } = engine.instanceOf(address)
    engine.storage.extend(keyOfInstance(address), threshold, extendTo)
    if (executable.type === "contractExecutableWasm") {
      engine.storage.extend(keyOfCode(executable.wasmHash.toBytes()), threshold, extendTo)
    }
  },
  requireAuth: (who, agreed = args) => {
    engine.meter.charge(Work.authorization)
    const call = new xdr.InvokeContractArgs({ contractAddress: address, functionName: fn, args: [...agreed] })
    engine.authorization.require(who, xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call), engine.authenticator)
  },
  authorizeAsContract: (invocations) => engine.authorization.addContractAgreements(invocations),
  call: (contract, called, ...given) => engine.call(contract, called, given),
  tryCall: (contract, called, ...given) => engine.tryCall(contract, called, given),
  deploy: (salt, codeHash, ...given) => engine.deploy(address, salt, codeHash, given),
  emit: (topics, data) => engine.emit(address, topics, data),
  fail: (code) => contractFail(code, "failing with contract error"),
  trap: () => hostFail("WasmVm", "InvalidAction", "VM call trapped: UnreachableCodeReached"),
  charge: (instructions) => engine.meter.charge(instructions)
})

const livingStore = ({ meter, storage }: Engine, contract: xdr.ScAddress, durability: Durability): LivingStore => {
  const at = (key: xdr.ScVal): xdr.LedgerKey => {
    meter.charge(Work.storageAccess)
    return keyOfContractData(contract, key, durability)
  }
  const valueOf = (entry: xdr.LedgerEntry | undefined): xdr.ScVal | undefined =>
    entry?.data.type === "contractData" ? entry.data.contractData.val : undefined
  return {
    get: (key) => valueOf(storage.get(at(key))),
    has: (key) => storage.has(at(key)),
    set: (key, value) => storage.put(at(key), contractData(contract, key, durability, value)),
    remove: (key) => storage.remove(at(key)),
    extend: (key, threshold, extendTo) => storage.extend(at(key), threshold, extendTo)
  }
}

const instanceStore = (engine: Engine, contract: xdr.ScAddress): DataStore => {
  const read = (): xdr.ScVal => xdr.ScVal.scvMap(engine.instanceOf(contract).storage ?? [])
  const write = (
    change: (entries: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]>) => ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]>
  ): void => {
    const { executable, storage } = engine.instanceOf(contract)
    const changed = mapOf(change((storage ?? []).map(({ key, val }) => [key, val])))
    const instance = new xdr.ScContractInstance({ executable, storage: changed.type === "scvMap" ? changed.map : null })
    const key = xdr.ScVal.scvLedgerKeyContractInstance()
    engine.storage.put(
      keyOfInstance(contract),
      contractData(contract, key, "persistent", xdr.ScVal.scvContractInstance(instance))
    )
  }
  const without = (entries: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]>, key: xdr.ScVal) =>
    entries.filter(([other]) => compareValues(other, key) !== 0)
  return {
    get: (key) => lookup(read(), key),
    has: (key) => lookup(read(), key) !== undefined,
    set: (key, value) => write((entries) => [...without(entries, key), [key, value]]),
    remove: (key) => write((entries) => without(entries, key))
  }
}
