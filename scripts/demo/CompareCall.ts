import { Address, type OperationRecord, type xdr } from "@stellar/stellar-sdk"

type Call = Extract<OperationRecord, { readonly type: "invokeHostFunction" }>

/** What a client knows of the calls it may be asked to sign. */
export interface Callable {
  readonly source: string
  /** Contracts in which the account holds something. */
  readonly contracts: ReadonlyArray<string>
}

const contractOf = ({ contractAddress }: xdr.InvokeContractArgs): string => Address.fromScAddress(contractAddress).toString()

const addressIn = (
  value: xdr.ScVal | undefined
): string | null => (value?.type === "scvAddress" ? Address.fromScAddress(value.address).toString() : null)

/** A token call below the root: tokens of the account go to a contract in which it holds something, or nowhere. */
const isPayment = ({ function: called, subInvocations }: xdr.SorobanAuthorizedInvocation, { contracts, source }: Callable): boolean => {
  if (called.type !== "sorobanAuthorizedFunctionTypeContractFn" || subInvocations.length > 0) return false
  const { args, functionName } = called.contractFn
  if (addressIn(args[0]) !== source) return false
  return functionName.toString() === "burn" || (functionName.toString() === "transfer" && contracts.includes(addressIn(args[1]) ?? ""))
}

const authorizes = (entry: xdr.SorobanAuthorizationEntry, call: xdr.InvokeContractArgs, callable: Callable): boolean => {
  const { function: root, subInvocations } = entry.rootInvocation
  return entry.credentials.type === "sorobanCredentialsSourceAccount" &&
    root.type === "sorobanAuthorizedFunctionTypeContractFn" &&
    root.contractFn.toXdr("base64") === call.toXdr("base64") &&
    subInvocations.every((below) => isPayment(below, callable))
}

/** The call as contract and function; null where it is not one that the account would want, or its signature would allow more. */
export const compareCall = ({ auth = [], func }: Call, callable: Callable): string | null => {
  if (func.type !== "hostFunctionTypeInvokeContract") return null
  const call = func.invokeContract
  const wanted = callable.contracts.includes(contractOf(call)) && auth.length <= 1 &&
    auth.every((entry) => authorizes(entry, call, callable))
  return wanted ? `${contractOf(call)} ${call.functionName.toString()}` : null
}
