import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { native } from "../../../domain/Asset.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import type { Protocol } from "../../../protocols/ProtocolRegistry.ts"
import type { CallSimulation } from "../../situation/CallSimulation.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"
import { hasRoom } from "../payouts/PayoutTrustlines.ts"

type Problem = NonNullable<ReturnType<NonNullable<Protocol["problem"]>>>

/** What the host says of an error that a contract ended a call with. */
const contractError = /Error\(Contract, #(\d+)\)/

/** What a protocol makes of a failed call, given the words of the host; null: it is none of its errors. */
export const problemIn = (protocol: Pick<Protocol, "problem"> | undefined, call: ContractCall, reason: string): Problem | null => {
  const code = contractError.exec(reason)?.[1]
  return code === undefined ? null : protocol?.problem?.(call, Number(code)) ?? null
}

/** What is known of the account that a call is for. */
export interface CallerFacts {
  readonly user: AccountAddress
  readonly ledgerState: LedgerState
  readonly assets: TokenAssets
  /** Base units. */
  readonly spendable: (token: ContractAddress) => bigint
}

/** Of the tokens that a call takes, the one that is not at hand. */
const shortage = ({ holds }: ContractCall, { spendable }: CallerFacts): CallSimulation | null => {
  const short = holds.find(({ amount, token }) => spendable(token) < amount)
  return short === undefined ? null : { _tag: "Short", token: short.token, needed: short.amount, held: spendable(short.token) }
}

/** Of the assets that a call pays, the only one, or the one that has no room on its line. */
const unreceivable = ({ payouts }: ContractCall, { assets, user, ledgerState }: CallerFacts): CallSimulation | null => {
  const paid = payouts.flatMap(({ expected, token }) => {
    const asset = assets.get(token)
    return asset === undefined || asset === native ? [] : [{ asset, expected }]
  })
  const one = paid.find(({ asset, expected }) => !hasRoom(ledgerState, user, asset, expected)) ?? (paid.length === 1 ? paid[0] : undefined)
  return one === undefined ? null : { _tag: "CannotReceive", asset: one.asset }
}

/** Errors of the host that say nothing to the caller, in words that do. */
const hostErrors: ReadonlyArray<readonly [RegExp, string]> = [
  [/Error\(WasmVm, /, "The contract aborted the call without a reason. It may hold less than it must pay."],
  [/Error\(Budget, /, "The call needs more resources than one transaction may use."],
  [/Error\(Storage, /, "An entry that the contract needs is not on the ledger."],
  [/Error\(Auth, /, "The contract requires an authorisation that the account alone cannot give."],
  [/Error\(Contract, #\d+\)/, "The contract rejects the call with its own error, which this service does not know."]
]

/** What a call that failed when it was simulated means: as its protocol knows the error, else in words for the error of the host, which follows them. */
export const meaningOf = (
  protocol: Pick<Protocol, "problem"> | undefined,
  call: ContractCall,
  failed: Extract<CallSimulation, { readonly _tag: "Failed" }>,
  facts: CallerFacts
): CallSimulation => {
  const problem = problemIn(protocol, call, failed.reason)
  const inWords = (words: string): CallSimulation => ({ _tag: "Failed", reason: `${words} (${failed.reason})` })
  if (problem === null) {
    const words = hostErrors.find(([pattern]) => pattern.test(failed.reason))?.[1]
    return words === undefined ? failed : inWords(words)
  }
  switch (problem._tag) {
    case "Short":
      return shortage(call, facts) ?? inWords("The account, or the contract that pays, holds less of a token than the call moves.")
    case "CannotReceive":
      return unreceivable(call, facts) ??
        inWords("The account cannot receive a token that the call pays: no trustline, no authorisation, or too low a limit.")
    case "Changed":
      return { _tag: "Changed", reason: failed.reason }
    default:
      return problem
  }
}
