import type { xdr } from "@stellar/stellar-sdk"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { nameOfAddress } from "../../stellar/ScAddresses.ts"
import type { PlannedExit } from "./Exits.ts"
import type { OwnTransaction, OwnTransactions } from "./OwnTransactions.ts"
import { resultCodes, succeeded } from "./ResultCodes.ts"
import type { Situation } from "./Situation.ts"

/** The same call failed on the ledger as often as it was sent lately, each time for the same cause. */
export interface FailedBefore {
  readonly times: number
  /** As the ledger API spells it: `op_trapped`. */
  readonly cause: string
  /** The sequence number of the last of them. */
  readonly sequence: bigint
}

const isCallOf = (operation: xdr.Operation | undefined, contract: string, name: string): boolean => {
  const called = operation?.body.type === "invokeHostFunction" ? operation.body.invokeHostFunctionOp.hostFunction : null
  return called?.type === "hostFunctionTypeInvokeContract" &&
    nameOfAddress(called.invokeContract.contractAddress) === contract &&
    called.invokeContract.functionName.toString() === name
}

const causeOf = ({ result }: OwnTransaction): string => {
  const { operationResultCodes, resultCode } = resultCodes(result)
  return operationResultCodes[0] ?? resultCode
}

/** Whether a call was the account's last one twice or more, and failed each time alike; null: it was not. */
export const failedCall = (history: OwnTransactions, call: Pick<ContractCall, "contract" | "function">): FailedBefore | null => {
  const end = history.transactions.findIndex((one) => succeeded(one.result) || !isCallOf(one.operations[0], call.contract, call.function))
  const failed = end < 0 ? history.transactions : history.transactions.slice(0, end)
  const [last] = failed
  if (last === undefined) return null
  const cause = causeOf(last)
  const other = failed.findIndex((one) => causeOf(one) !== cause)
  const times = other < 0 ? failed.length : other
  return times < 2 ? null : { times, cause, sequence: last.sequence }
}

/** The same of the call that is next for a position. */
export const failedBefore = ({ exits: { history } }: Pick<Situation, "exits">, { exit }: PlannedExit): FailedBefore | null =>
  exit._tag === "Calls" ? failedCall(history, exit.calls[0]) : null
