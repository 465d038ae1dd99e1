import type * as xdr from "@stellar/stellar-sdk/xdr"
import { nameOfAddress } from "../stellar/ScAddresses.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"
import { type Breach, breach } from "./Around.ts"
import { type CallParts, type HandOver, isHandOver } from "./HandOver.ts"

/** A call with its parts read. */
export const calledIn = ({ args, contractAddress, functionName }: xdr.InvokeContractArgs): CallParts => ({
  contract: nameOfAddress(contractAddress),
  name: functionName.toString(),
  args
})

/** The calls below a call that an authorisation covers; null where it covers anything deeper, or more than calls. */
const callsBelow = ({ subInvocations }: xdr.SorobanAuthorizedInvocation): ReadonlyArray<CallParts> | null => {
  const calls = subInvocations.map(({ function: called, subInvocations: deeper }) =>
    called.type === "sorobanAuthorizedFunctionTypeContractFn" && deeper.length === 0 ? calledIn(called.contractFn) : null
  )
  return calls.includes(null) ? null : calls.filter((one) => one !== null)
}

/** Whether some calls are these hand-overs, each once, in any order. */
const areThese = (
  handOvers: ReadonlyArray<HandOver>,
  calls: ReadonlyArray<CallParts>,
  is: (one: HandOver, call: CallParts) => boolean
): boolean => {
  const [first, ...others] = handOvers
  if (first === undefined) return calls.length === 0
  const at = calls.findIndex((call) => is(first, call))
  return at >= 0 && areThese(others, calls.toSpliced(at, 1), is)
}

/** What an authorisation is compared with. */
export interface AllowedHandOvers {
  readonly source: string
  /** Everything that the call hands over. */
  readonly handOvers: ReadonlyArray<HandOver>
  /** Tokens that are never shares. */
  readonly isValued: (token: string) => boolean
}

/**
 * Why what the source authorises is not exactly one call with what it hands over: another call, other credentials than those of the
 * transaction's source, a call deeper or beside, another receiver, another amount.
 */
export const authorizationBreaches = (
  { auth, hostFunction }: xdr.InvokeHostFunctionOp,
  { handOvers, isValued, source }: AllowedHandOvers
): ReadonlyArray<Breach> => {
  const [entry, ...more] = auth
  if (entry === undefined) {
    return handOvers.length === 0 ? [] : breach("authorization", "The authorisation does not cover what the call hands over.")
  }
  if (more.length > 0) return breach("authorization", "The transaction has more than one authorisation.")
  const { credentials, rootInvocation } = entry
  if (credentials.type !== "sorobanCredentialsSourceAccount") {
    return breach("authorization", "The authorisation outlives the transaction.")
  }
  const root = rootInvocation.function
  const isSame = root.type === "sorobanAuthorizedFunctionTypeContractFn" && hostFunction.type === "hostFunctionTypeInvokeContract" &&
    xdrBase64(root.contractFn) === xdrBase64(hostFunction.invokeContract)
  if (!isSame) return breach("authorization", "Another call is authorised than the one that is made.")
  const calls = callsBelow(rootInvocation)
  return calls !== null && areThese(handOvers, calls, (one, call) => isHandOver(one, call, source, isValued))
    ? []
    : breach("authorization", "The authorisation covers more than the call hands over, or something else.")
}
