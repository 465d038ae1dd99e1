import * as xdr from "@stellar/stellar-sdk/xdr"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { addressNamed } from "../stellar/ScAddresses.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"

/** A call that a signature for another call also authorises. */
export interface SubCall {
  readonly contract: ContractAddress
  readonly function: string
  readonly args: ReadonlyArray<xdr.ScVal>
  readonly subCalls: ReadonlyArray<SubCall>
}

/** What an account expects to be paid by a call. */
export interface Payout {
  readonly token: ContractAddress
  /** Base units, as of the ledger that was read, less every fee: a call that pays clearly less is not made. */
  readonly expected: bigint
}

/** What an account must hold of a token before a call. */
export interface Holding {
  readonly token: ContractAddress
  /** Base units. */
  readonly amount: bigint
}

/** One contract call of the closing account, with everything its signature may reach. */
export interface ContractCall {
  readonly contract: ContractAddress
  /** SHA-256 of the wasm that the contract ran when it was read, in hex: the call runs this code or is not made. Left out where it has none. */
  readonly code?: string
  /** The same of contracts below it whose code its protocol does not list, and knows by what it declares. Left out: none. */
  readonly codeBelow?: ReadonlyArray<string>
  readonly function: string
  readonly args: ReadonlyArray<xdr.ScVal>
  /** What the call pays to the account. Before it is made the account needs a line for every one of these that is a classic asset. */
  readonly payouts: ReadonlyArray<Payout>
  /** What it pays at least of a token: its arguments say so, and it fails where it would pay less. Left out: nothing is promised. */
  readonly least?: Holding
  /** What the account must be able to spend, before the call. */
  readonly holds: ReadonlyArray<Holding>
  /** The calls below the root that the account's authorisation covers, whole and with no others beside them; order does not matter. */
  readonly subCalls: ReadonlyArray<SubCall>
  /** Everyone who may receive anything of the account's through this call, beside the account itself. */
  readonly recipients: ReadonlyArray<string>
  /** Accounts that the arguments name and that receive nothing, for instance the owner of the entry before in a list. */
  readonly bystanders?: ReadonlyArray<string>
  /** Whether it pays rewards and nothing else: the position itself is left by other calls. Left out: it does not. */
  readonly claimsOnly?: boolean
}

/** The arguments of a call as the host takes them. */
export const invocationOf = (
  { args, contract, function: name }: Pick<ContractCall, "contract" | "function" | "args">
): xdr.InvokeContractArgs => new xdr.InvokeContractArgs({ contractAddress: addressNamed(contract), functionName: name, args: [...args] })

const text = (call: Pick<ContractCall, "contract" | "function" | "args">): string => xdrBase64(invocationOf(call))

const treeText = (invocation: xdr.SorobanAuthorizedInvocation): string => {
  const call = invocation.function
  const own = call.type === "sorobanAuthorizedFunctionTypeContractFn" ? xdrBase64(call.contractFn) : `other:${xdrBase64(call)}`
  return `${own}{${invocation.subInvocations.map(treeText).toSorted().join(";")}}`
}

const declared = (call: Pick<ContractCall, "contract" | "function" | "args" | "subCalls"> | SubCall): string =>
  `${text(call)}{${call.subCalls.map(declared).toSorted().join(";")}}`

/**
 * Why recorded authorisation is not what a call declared, or null when it is exactly that: one entry with the source account's
 * credentials, for this very call, with these sub-calls. Anything else a simulation asks the account to authorise is refused.
 * An empty list fits a call for which the contract asks no authorisation, and which therefore makes none of these sub-calls either.
 */
export const authorizationProblem = (
  call: ContractCall,
  source: AccountAddress,
  entries: ReadonlyArray<xdr.SorobanAuthorizationEntry>
): string | null => {
  const [entry, ...others] = entries
  if (entry === undefined) return call.subCalls.length === 0 ? null : `${call.function} requires no authorisation for what it declares`
  if (others.length > 0) return "more than one authorisation is required"
  const { credentials, rootInvocation } = entry
  if (credentials.type !== "sorobanCredentialsSourceAccount") {
    return `authorisation is required with other credentials than those of ${source}`
  }
  return treeText(rootInvocation) === declared(call) ? null : `the authorisation covers more than ${call.function} and what it declares`
}
