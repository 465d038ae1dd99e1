import type { xdr } from "@stellar/stellar-sdk"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { addressesIn, nameOfAddress } from "../../stellar/ScAddresses.ts"
import type { OwnTransactions } from "./OwnTransactions.ts"

const addressesOf = (args: ReadonlyArray<xdr.ScVal>): ReadonlyArray<string> => args.flatMap(addressesIn)

/** Whether addresses occur among others in their order. */
const occurIn = (all: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  all.reduce((at, one) => (one === wanted[at] ? at + 1 : at), 0) === wanted.length

/** Whether the addresses of a call are those of its arguments then. Strangers choose its bystanders, which may have been others. */
const hasParties = (then: ReadonlyArray<string>, { args, bystanders }: Pick<ContractCall, "args" | "bystanders">): boolean =>
  bystanders === undefined
    ? then.join(" ") === addressesOf(args).join(" ")
    : occurIn(then, addressesOf(args).filter((one) => !bystanders.includes(one)))

/** The call of a contract that an operation makes; null: it makes none. */
export const callIn = (
  operation: xdr.Operation | undefined
): Pick<ContractCall, "args" | "function"> & { readonly contract: string } | null => {
  const made = operation?.body.type === "invokeHostFunction" ? operation.body.invokeHostFunctionOp.hostFunction : null
  if (made?.type !== "hostFunctionTypeInvokeContract") return null
  const { args, contractAddress, functionName } = made.invokeContract
  return { args, contract: nameOfAddress(contractAddress), function: functionName.toString() }
}

/** Whether an operation makes the same call: contract, function and every address in the arguments but bystanders are the same. */
export const isSameCall = (
  operation: xdr.Operation | undefined,
  call: Pick<ContractCall, "args" | "bystanders" | "contract" | "function">
): boolean => {
  const made = callIn(operation)
  return made !== null && made.contract === call.contract && made.function === call.function && hasParties(addressesOf(made.args), call)
}

/**
 * The sequence number of the account's last successful transaction that made the same call; null where none of the known ones did. Two calls
 * are the same when contract, function and every address in their arguments are. Amounts, minimums, indexes and deadlines are not compared. What
 * such a call moved has come again since, and a stranger who sends it could have it moved again and again, for a fee each time.
 */
export const madeBefore = ({ transactions }: OwnTransactions, call: ContractCall): bigint | null =>
  transactions.find(({ operations, succeeded }) => succeeded && isSameCall(operations[0], call))?.sequence ?? null
