import * as xdr from "@stellar/stellar-sdk/xdr"
import type { AccountAddress } from "../domain/Address.ts"
import { toMuxed } from "../stellar/Names.ts"
import { nameOfAddress } from "../stellar/ScAddresses.ts"
import { type Around, type Breach, breach } from "./Around.ts"
import { callBreaches } from "./CallAdmission.ts"
import { type ContractCall, invocationOf } from "./ContractCall.ts"
import type { OperationOf } from "./OperationDefinition.ts"
import { renderedValue } from "./RenderedValue.ts"

type Invocation = OperationOf<"invoke_contract">["subInvocations"][number]

const named = ({ args, contractAddress, functionName }: xdr.InvokeContractArgs) => ({
  contract: nameOfAddress(contractAddress),
  function: functionName.toString(),
  args: args.map(renderedValue)
})

/** What an agreement allows, or null for one that allows more than calls of contracts. */
const allowed = ({ function: called, subInvocations }: xdr.SorobanAuthorizedInvocation): Invocation | null => {
  if (called.type !== "sorobanAuthorizedFunctionTypeContractFn") return null
  const below = subInvocations.map(allowed)
  return below.some((one) => one === null) ? null : { ...named(called.contractFn), subInvocations: below.flatMap((one) => one ?? []) }
}

/** The calls below a call that an agreement of the source allows, none without one; null for an agreement to anything else. */
const agreedBelow = (
  call: ReturnType<typeof named>,
  agreement: xdr.SorobanAuthorizationEntry | undefined
): ReadonlyArray<Invocation> | null => {
  if (agreement === undefined) return []
  if (agreement.credentials.type !== "sorobanCredentialsSourceAccount") return null
  const root = allowed(agreement.rootInvocation)
  // An agreement to another call than the one that is made would be a second call in disguise.
  const isOther = root?.contract !== call.contract || root.function !== call.function || root.args.join() !== call.args.join()
  return isOther ? null : root.subInvocations
}

/**
 * INVOKE_HOST_FUNCTION: one call of a contract, with the agreements of its source. Never anything else of what host functions can do,
 * and never an agreement with other credentials than the source account's own.
 */
export const InvokeContract = {
  type: "invoke_contract",
  level: "med",
  /** The call as XDR; `auth` as recorded by a simulation and compared with what the call declares. */
  build: (source: AccountAddress, call: ContractCall, auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>): xdr.Operation =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.invokeHostFunction(
        new xdr.InvokeHostFunctionOp({ hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocationOf(call)), auth: [...auth] })
      )
    }),
  decode: (body: xdr.OperationBody, source: AccountAddress): OperationOf<"invoke_contract"> | null => {
    if (body.type !== "invokeHostFunction") return null
    const { auth, hostFunction } = body.invokeHostFunctionOp
    if (hostFunction.type !== "hostFunctionTypeInvokeContract" || auth.length > 1) return null
    const call = named(hostFunction.invokeContract)
    const subInvocations = agreedBelow(call, auth[0])
    return subInvocations === null ? null : { type: "invoke_contract", source, ...call, subInvocations }
  },
  admits: (_: OperationOf<"invoke_contract">, around: Around): ReadonlyArray<Breach> => {
    const made = around.body.type === "invokeHostFunction" ? around.body.invokeHostFunctionOp.hostFunction : null
    return made?.type === "hostFunctionTypeInvokeContract"
      ? callBreaches(made.invokeContract, around)
      : breach("unknown_operation", "This is no call of a contract.")
  }
} as const
