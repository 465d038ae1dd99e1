import { StrKey, type xdr } from "@stellar/stellar-sdk"
import type { SimulationAnswer } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { authorizationProblem, type ContractCall, type SubCall } from "../../../operations/ContractCall.ts"
import { addressesIn } from "../../../stellar/ScAddresses.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"
import { effectProblem } from "./CallEffects.ts"

type SimulatedCall = Extract<SimulationAnswer, { readonly _tag: "Simulated" }>

/** Where a token call puts what it takes: the argument that names who receives, or may take. */
const receiverAt: Readonly<Record<string, number>> = { transfer: 1, transfer_from: 2, approve: 1 }

/** Whom the calls below a call hand tokens to, or let take them, and itself where it is such a call. */
export const receivers = (call: Pick<SubCall, "function" | "args" | "subCalls">): ReadonlyArray<string> => {
  const at = receiverAt[call.function]
  const arg = at === undefined ? undefined : call.args[at]
  return [...(arg === undefined ? [] : addressesIn(arg)), ...call.subCalls.flatMap(receivers)]
}

const argumentsOf = (
  call: Pick<SubCall, "args" | "subCalls">
): ReadonlyArray<xdr.ScVal> => [...call.args, ...call.subCalls.flatMap(argumentsOf)]

/** Whom a call names that it should not: an account that it did not declare, or a receiver of tokens that is neither a recipient nor called. */
const strangers = (call: ContractCall, user: AccountAddress): ReadonlyArray<string> => {
  const receiving = new Set<string>([user, ...call.recipients])
  const named = new Set<string>([...receiving, ...(call.bystanders ?? [])])
  const accounts = argumentsOf(call).flatMap(addressesIn).filter((address) => !StrKey.isValidContract(address))
  return [
    ...accounts.filter((address) => !named.has(address)),
    ...receivers(call).filter((address) => !receiving.has(address) && address !== call.contract)
  ]
}

/**
 * Why a simulated call must not be signed, or null: what it asks to authorise is exactly what its exit declared, it names no stranger,
 * and on the ledger it was simulated on it pays what it declared to the account and to no one else, takes no more than declared, and
 * changes nothing else of the account's. Which code runs in it is judged by itself (`CalledCode.ts`).
 */
export const callProblem = (
  call: ContractCall,
  user: AccountAddress,
  { auth, changes }: Pick<SimulatedCall, "auth" | "changes">,
  assets: TokenAssets
): string | null => {
  const [stranger] = strangers(call, user)
  if (stranger !== undefined) return `it names ${stranger}, which is not a recipient of this exit`
  return authorizationProblem(call, user, auth) ?? effectProblem({ call, user, changes, assets })
}
