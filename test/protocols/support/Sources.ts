import { Address, SorobanDataBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import type { SimulationAnswer } from "../../../src/chain/contract-rpc/SimulationAnswer.ts"
import { ContractRpc } from "../../../src/chain/ContractRpc.ts"
import type { Getter } from "../../../src/chain/Getter.ts"
import { LedgerEntries } from "../../../src/chain/LedgerEntries.ts"
import { ContractAddress } from "../../../src/domain/Address.ts"

/** A contract's answer to a getter; null: the call fails. */
export type Say = (getter: Getter) => xdr.ScVal | null

const getterIn = (text: string): Getter => {
  const envelope = xdr.TransactionEnvelope.fromXdr(text, "base64")
  const [operation, ...others] = envelope.type === "envelopeTypeTx" ? envelope.v1.tx.operations : []
  const call = operation?.body.type === "invokeHostFunction" ? operation.body.invokeHostFunctionOp.hostFunction : null
  if (call?.type !== "hostFunctionTypeInvokeContract" || others.length > 0) throw new Error("not one call of a contract")
  const { args, contractAddress, functionName } = call.invokeContract
  return { contract: ContractAddress.make(Address.fromScAddress(contractAddress).toString()), function: functionName.toString(), args }
}

const simulated = (result: xdr.ScVal | null): SimulationAnswer =>
  result === null ? { _tag: "Failed", error: "it fails", latestLedger: 1 } : {
    _tag: "Simulated",
    resources: { data: new SorobanDataBuilder().build(), minResourceFee: 1n },
    auth: [],
    result,
    changes: [],
    events: [],
    restore: null,
    latestLedger: 1
  }

/** A contract RPC that answers only getters. */
export const rpcSaying = (say: Say = () => null): ContractRpc["Type"] => {
  const unasked = Effect.dieMessage("not asked")
  return ContractRpc.of({
    latestLedger: unasked,
    recentLedger: unasked,
    closeInterval: unasked,
    closeTimeOf: () => unasked,
    ledgerEntries: () => unasked,
    feeStats: unasked,
    sendTransaction: () => unasked,
    simulateTransaction: (envelope) => Effect.sync(() => simulated(say(getterIn(envelope)))),
    transaction: () => unasked,
    transactions: () => unasked,
    retention: unasked,
    events: () => unasked,
    searchEvents: () => unasked,
    newerXdr: Effect.succeed(null),
    endpoints: unasked,
    origins: [],
    each: [],
    survey: unasked
  })
}

/** The sources of a registry. */
export const sourcesOf = (entries: LedgerEntries["Type"], say?: Say) =>
  Layer.merge(Layer.succeed(LedgerEntries, entries), Layer.succeed(ContractRpc, rpcSaying(say)))

/** Entries that must not be read. */
export const noEntries = LedgerEntries.of({
  one: () => Effect.dieMessage("not asked"),
  many: () => Effect.dieMessage("not asked"),
  anew: () => Effect.dieMessage("not asked"),
  answers: () => Effect.dieMessage("not asked")
})
