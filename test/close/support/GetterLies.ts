import { TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import type { Lie } from "./Sources.ts"

/** The simulated call: its contract (C…) and its function. */
export const calledIn = (transaction: string): { readonly contract: string; readonly name: string } | null => {
  const [operation] = TransactionBuilder.fromXdr(transaction, "any network").operations
  if (operation?.type !== "invokeHostFunction" || operation.func.type !== "hostFunctionTypeInvokeContract") return null
  const { contractAddress, functionName } = operation.func.invokeContract
  return { contract: strkeyOf(contractAddress), name: functionName.toString() }
}

/** A lie about a getter's result: another value; null: the call fails. Undefined: unchanged. */
export type OtherWord = (called: { readonly contract: string; readonly name: string }) => xdr.ScVal | null | undefined

/** Simulates getters with other results; all other answers are honest. */
export const saying = (word: OtherWord): Lie => (method, result, { transaction }) => {
  if (method !== "simulateTransaction" || typeof transaction !== "string") return result
  const called = calledIn(transaction)
  const other = called === null ? undefined : word(called)
  if (other === undefined) return result
  if (other === null) return { error: "HostError: Error(WasmVm, InvalidAction)", latestLedger: result["latestLedger"] }
  const [first = {}] = (result["results"] ?? []) as ReadonlyArray<Record<string, unknown>>
  return { ...result, results: [{ ...first, xdr: other.toXdr("base64") }] }
}

/** Returns no events. */
export const tellingNothing: Lie = (method, result) => (method === "getEvents" ? { ...result, events: [] } : result)
