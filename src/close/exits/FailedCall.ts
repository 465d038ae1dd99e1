import type { ContractCall } from "../../operations/ContractCall.ts"
import type { Protocol } from "../../protocols/ProtocolRegistry.ts"

type Problem = NonNullable<ReturnType<NonNullable<Protocol["problem"]>>>

/** What the host says of an error that a contract ended a call with. */
const contractError = /Error\(Contract, #(\d+)\)/

const said: Record<Exclude<Problem["_tag"], "Unavailable">, string> = {
  Changed: "The contract's state is no longer what the call was built from; ask again.",
  TooEarly: "A waiting time of the contract is not over yet.",
  Short: "The account, or the contract that pays, holds less of a token than the call moves.",
  CannotReceive: "The account cannot receive a token that the call pays: no trustline, no authorisation, or no room in it."
}

/** Why a call fails when it is simulated. */
export interface FailedCall {
  /** The contract refuses for a reason of its own, which no other call gets around. */
  readonly unavailable: boolean
  readonly reason: string
}

/** What a failed call means: in words where the protocol knows the contract's error, else in those of the host. */
export const failedCall = (protocol: Protocol | undefined, call: ContractCall, reason: string): FailedCall => {
  const code = contractError.exec(reason)?.[1]
  const problem = code === undefined ? null : protocol?.problem?.(call, Number(code)) ?? null
  if (problem === null) return { unavailable: false, reason }
  return problem._tag === "Unavailable" ? { unavailable: true, reason: problem.reason } : { unavailable: false, reason: `${said[problem._tag]} (${reason})` }
}
