import { Address, type xdr } from "@stellar/stellar-sdk"
import type { SimulationAnswer, StateChange } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { counted } from "../../../domain/CountedNoun.ts"
import { authorizationProblem, type ContractCall } from "../../../operations/ContractCall.ts"
import { partiesIn } from "../../../stellar/AllowanceKeys.ts"
import { namesAddress } from "../../../stellar/ScAddresses.ts"
import { allowanceIn, allowanceLeft, isEmptyAllowance } from "../../situation/AllowanceLeft.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"
import { alteredEntry } from "./AlteredAccount.ts"
import { callProblem } from "./CallSafety.ts"
import { creditsOf, tokenMoves } from "./SimulatedMoves.ts"

type SimulatedCall = Pick<Extract<SimulationAnswer, { readonly _tag: "Simulated" }>, "auth" | "changes">

/** What is judged: a call about a token whose code no one knows, and what its simulation says it does. */
interface TokenCallFacts {
  readonly call: ContractCall
  readonly user: AccountAddress
  readonly token: ContractAddress
  readonly assets: TokenAssets
  /** Whether the token keeps balances and allowances in a way of its own, which no entry of a known form shows. */
  readonly ownBooks: boolean
}

const contractOf = (key: xdr.LedgerKey): string | null =>
  key.type === "contractData" ? Address.fromScAddress(key.contractData.contract).toString() : null

/** An entry about the account in any other contract than the token, which the call would change: its contract, or null. */
const touched = (changes: ReadonlyArray<StateChange>, { token, user }: TokenCallFacts): string | null => {
  const found = changes.find(({ key }) =>
    key.type === "contractData" && contractOf(key) !== token && namesAddress(key.contractData.key, user)
  )
  return found === undefined ? null : contractOf(found.key)
}

/** What the account has more of a token, as its entries of the known forms show; negative: less. */
const gained = (changes: ReadonlyArray<StateChange>, token: ContractAddress, owner: string): bigint =>
  tokenMoves(changes).reduce((sum, move) => (move.thing === token && move.owner === owner ? sum + move.amount : sum), 0n)

/**
 * A transfer takes exactly what is transferred, and all of it arrives where it is meant to. Of a token that keeps books of its own it can only be said
 * that it changes them.
 */
const transferProblem = (changes: ReadonlyArray<StateChange>, { call, ownBooks, token, user }: TokenCallFacts): string | null => {
  const amount = call.holds.reduce((sum, one) => sum + one.amount, 0n)
  const taken = -gained(changes, token, user)
  const others = [user, ...call.recipients].every((party) => gained(changes, token, party) === 0n)
  if (ownBooks && others) return changes.some(({ key }) => contractOf(key) === token) ? null : "it would not move anything"
  if (taken !== amount) return `it would take ${counted(taken, "base unit")} from the account to transfer ${amount}`
  const short = call.recipients.find((to) => gained(changes, token, to) !== amount)
  return short === undefined ? null : `${gained(changes, token, short)} of the ${counted(amount, "base unit")} would reach ${short}`
}

/**
 * A revocation takes nothing, and ends the allowance it is about: nothing of it is left. Of a token that keeps books of its own it can only be
 * said that it changes them.
 */
const revocationProblem = (changes: ReadonlyArray<StateChange>, { call, ownBooks, token, user }: TokenCallFacts): string | null => {
  if (gained(changes, token, user) !== 0n) return "it would change the account's balance of the token"
  const [, spender] = call.args.map((arg) => (arg.type === "scvAddress" ? Address.fromScAddress(arg.address).toString() : ""))
  const ended = changes.some(({ after, before, key }) => {
    if (contractOf(key) !== token || key.type !== "contractData") return false
    if (ownBooks) return true
    const parties = partiesIn(key.contractData.key)
    const left = allowanceIn(after, user)
    return parties.owner === user && parties.spender === spender && before !== null &&
      (after === null || (left !== null && isEmptyAllowance(left)))
  })
  return ended ? null : "it would not change the allowance"
}

/** Nothing but entries of the token itself may be about the account: not its lumens, trustlines, signers, nor what it holds anywhere else. */
const ownProblem = (changes: ReadonlyArray<StateChange>, judged: TokenCallFacts): string | null => {
  const { user } = judged
  if (changes.length === 0) return "its simulation does not show what it would change"
  const altered = alteredEntry(changes, user)
  if (altered !== null) return `it would change the account itself (${altered})`
  const [moved] = creditsOf(changes, user)
  if (moved !== undefined) return `it would move ${moved[0]} of the account`
  const left = allowanceLeft(changes, user)
  return left === null ? null : `it would leave ${left.spender} an allowance of ${left.token}`
}

const ownCallProblem = (judged: TokenCallFacts, { auth, changes }: SimulatedCall): string | null => {
  const { call, user } = judged
  // Without the account's word anyone could make the same call: then it is no call of the account's.
  if (auth.length === 0) return `${call.function} requires no authorisation`
  return authorizationProblem(call, user, auth) ?? ownProblem(changes, judged) ??
    (call.function === "approve" ? revocationProblem(changes, judged) : transferProblem(changes, judged))
}

/**
 * Why a simulated call about a token must not be signed; null when it may be. The code of a token need not be known, so the effects of the
 * call decide. The call must require exactly one authorization: that of the account for this call.
 *
 * - A transfer moves exactly its amount to its one recipient. A revocation ends its allowance. Neither changes anything else of the
 *   account's, in the token or elsewhere.
 * - A conversion is a call of a protocol, whose code is known. Besides the checks for any such call, it must change nothing about the
 *   account in another contract.
 */
export const tokenCallProblem = (judged: TokenCallFacts, answer: SimulatedCall): string | null => {
  const { assets, call, token, user } = judged
  const own = call.contract === token ? ownCallProblem(judged, answer) : callProblem(call, user, answer, assets)
  if (own !== null) return own
  const other = touched(answer.changes, judged)
  return other === null ? null : `it would change the allowance of ${other}`
}
