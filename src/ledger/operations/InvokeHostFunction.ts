import { xdr } from "@stellar/stellar-sdk"
import { isValidAsset } from "../Asset.ts"
import { fault } from "../LedgerFault.ts"
import { defineOperation } from "../Operation.ts"
import { invoke } from "../soroban/Invocation.ts"
import { testNetworkSettings } from "../soroban/Settings.ts"

/** Calls a contract, uploads code or creates a contract. */
export const InvokeHostFunction = defineOperation({
  kind: "invokeHostFunction",
  codes: xdr.InvokeHostFunctionResult,
  threshold: "medium",
  check: ({ invokeHostFunctionOp: { hostFunction } }, { soroban }) => {
    const { maxContractSize } = soroban?.settings ?? testNetworkSettings
    const isTooLarge = hostFunction.type === "hostFunctionTypeUploadContractWasm" && hostFunction.wasm.length > maxContractSize
    return isTooLarge || createsUnsoundAsset(hostFunction) ? "malformed" : undefined
  },
  apply: ({ invokeHostFunctionOp }, { draft, soroban, source }) => {
    const context = soroban ?? fault("a contract operation has no resources")
    const invoked = invoke(invokeHostFunctionOp, source, draft, context)
    return "failure" in invoked ? invoked.failure : xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(invoked.hash)
  }
})

const createsUnsoundAsset = (hostFunction: xdr.HostFunction): boolean => {
  if (hostFunction.type !== "hostFunctionTypeCreateContract") return false
  const preimage = hostFunction.createContract.contractIdPreimage
  return preimage.type === "contractIdPreimageFromAsset" && !isValidAsset(preimage.fromAsset)
}
