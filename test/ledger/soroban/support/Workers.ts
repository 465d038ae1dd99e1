import { assert } from "@effect/vitest"
import { Keypair, type xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractModel } from "../../../../src/ledger/soroban/Contract.ts"
import { hostFail } from "../../../../src/ledger/soroban/HostError.ts"
import type { Machine, MachineOptions } from "../../../../src/ledger/soroban/Machine.ts"
import { symbol, u32, vec, voidVal } from "../../../../src/ledger/soroban/Values.ts"
import { keyOfContractData } from "../../../../src/xdr/LedgerKeys.ts"
import { addressIn, ContractWorld } from "./ContractWorld.ts"
import { machineOver, recordingFor } from "./Machines.ts"

export const source = addressIn(Keypair.random())
export const kept = symbol("kept")

/** Faults of a model, not of the host: the second one looks like an error that can be survived. */
export const faults = [new Error("a fault"), Object.assign(new Error("another fault"), { isRecoverable: true })]

const endings: Readonly<Record<string, () => never>> = {
  trap: () => hostFail("WasmVm", "InvalidAction", "trapped"),
  sink: () => hostFail("Context", "ExceededLimit"),
  stray: () => hostFail("Storage", "ExceededLimit"),
  spend: () => hostFail("Budget", "ExceededLimit"),
  fault: () => hostFail("Auth", "InternalError", "a fault of the host")
}

/** Ends in every way that a call may end, and calls others. */
export const worker: ContractModel = {
  functions: {
    give: contractFunction(["value"], (host, [value]) => {
      host.emit([symbol("given")], value)
      return value
    }),
    keep_and_give: contractFunction(["value"], (host, [value]) => {
      host.persistent.set(kept, u32(1))
      return value
    }),
    pair: contractFunction(["value", "value"], (_, [left, right]) => vec(left, right)),
    ask: contractFunction(["address"], (host, [who]) => {
      host.requireAuth(who)
      return voidVal
    }),
    call: contractFunction(["address", "symbol", "vec"], (host, [called, fn, args]) => host.call(called, fn, ...args)),
    attempt: contractFunction(["address", "symbol", "vec"], (host, [called, fn, args]) => vec(host.tryCall(called, fn, ...args))),
    act_and_fail: contractFunction(["address"], (host, [who]) => {
      host.persistent.set(kept, u32(1))
      host.requireAuth(who)
      host.emit([symbol("acted")], voidVal)
      return host.fail(42)
    }),
    break: contractFunction(["u32"], (_, [at]) => {
      throw faults[at] ?? assert.fail("no such fault")
    }),
    ...Object.fromEntries(Object.entries(endings).map(([name, end]) => [name, contractFunction([], end)]))
  }
}

/** Keeps what it is made with; of a number as text it makes its result, and a symbol ends it. */
export const made: ContractModel = {
  functions: {
    __constructor: contractFunction(["value"], (host, [value]) => {
      host.persistent.set(kept, value)
      if (value.type === "scvString") return u32(Number(value.str))
      if (value.type === "scvSymbol") return (endings[String(value.sym)] ?? assert.fail("no such ending"))()
      return voidVal
    })
  }
}

export const world = new ContractWorld(worker, made)
export const [one, other, maker] = [world.deploy(worker), world.deploy(worker), world.deploy(made)]
export const hashOf = (model: ContractModel): Uint8Array => Buffer.from(world.hashOf(model), "hex")

/** A machine over the ledger with these contracts, which finds out where the source has to agree. */
export const machineWith = (changed: Partial<MachineOptions> = {}): Machine =>
  machineOver(world, { contracts: world.options.contracts, authorization: recordingFor(source), ...changed })

export const keptBy = ({ storage }: Machine, contract: xdr.ScAddress): xdr.LedgerEntryData | undefined =>
  storage.get(keyOfContractData(contract, kept, "persistent"))?.data

/** Functions whose agreement was found to be needed. */
export const agreedIn = ({ authorization }: Machine): ReadonlyArray<unknown> =>
  authorization.recorded(false).map(({ rootInvocation }) => rootInvocation.function.toJson())
