import type { xdr } from "@stellar/stellar-sdk"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { nameOfAddress } from "../../stellar/ScAddresses.ts"
import type { OwnTransactions } from "./OwnTransactions.ts"
import { succeeded } from "./ResultCodes.ts"

/** Addresses among the arguments of a call, one text for all of them. */
const addressesIn = (args: ReadonlyArray<xdr.ScVal>): string =>
  args.flatMap((arg) => (arg.type === "scvAddress" ? [nameOfAddress(arg.address)] : [])).join(" ")

const isSame = (operation: xdr.Operation | undefined, call: ContractCall): boolean => {
  const made = operation?.body.type === "invokeHostFunction" ? operation.body.invokeHostFunctionOp.hostFunction : null
  return made?.type === "hostFunctionTypeInvokeContract" &&
    nameOfAddress(made.invokeContract.contractAddress) === call.contract &&
    made.invokeContract.functionName.toString() === call.function && addressesIn(made.invokeContract.args) === addressesIn(call.args)
}

/**
 * The sequence number of the account's last transaction that made the same call, whatever its amount; null: none of those that are known
 * did. What it moved has come again since: whoever sends it could have it moved, for a fee, for ever.
 */
export const madeBefore = ({ transactions }: OwnTransactions, call: ContractCall): bigint | null =>
  transactions.find(({ operations, result }) => succeeded(result) && isSame(operations[0], call))?.sequence ?? null
