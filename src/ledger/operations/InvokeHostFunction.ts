import { xdr } from "@stellar/stellar-sdk"
import { isValidAsset } from "../Asset.ts"
import { fault } from "../LedgerFault.ts"
import { defineOperation } from "../Operation.ts"
import { type InvocationFailure, invoke } from "../soroban/Invocation.ts"
import { testNetworkSettings } from "../soroban/Settings.ts"

const result = (code: xdr.InvokeHostFunctionResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.invokeHostFunction(code))
const Code = xdr.InvokeHostFunctionResult

/** Calls a contract, uploads code or creates a contract. */
export const InvokeHostFunction = defineOperation("invokeHostFunction", {
  threshold: "medium",
  check: ({ invokeHostFunctionOp: { hostFunction } }, { soroban }) => {
    const { maxContractSize } = soroban?.settings ?? testNetworkSettings
    const isTooLarge = hostFunction.type === "hostFunctionTypeUploadContractWasm" && hostFunction.wasm.length > maxContractSize
    return isTooLarge || createsUnsoundAsset(hostFunction) ? result(Code.invokeHostFunctionMalformed()) : undefined
  },
  apply: ({ invokeHostFunctionOp }, { draft, soroban, source }) => {
    const context = soroban ?? fault("a contract operation has no resources")
    const invoked = invoke(invokeHostFunctionOp, source, draft, context)
    return result("failure" in invoked ? failures[invoked.failure]() : Code.invokeHostFunctionSuccess(invoked.hash))
  }
})

const createsUnsoundAsset = (hostFunction: xdr.HostFunction): boolean => {
  if (hostFunction.type !== "hostFunctionTypeCreateContract") return false
  const preimage = hostFunction.createContract.contractIdPreimage
  return preimage.type === "contractIdPreimageFromAsset" && !isValidAsset(preimage.fromAsset)
}

const failures: Readonly<Record<InvocationFailure, () => xdr.InvokeHostFunctionResult>> = {
  trapped: Code.invokeHostFunctionTrapped,
  resourceLimitExceeded: Code.invokeHostFunctionResourceLimitExceeded,
  entryArchived: Code.invokeHostFunctionEntryArchived,
  insufficientRefundableFee: Code.invokeHostFunctionInsufficientRefundableFee
}
