import type { Retry } from "../api/ErrorRow.ts"
import { ErrorTable } from "../api/ErrorTable.ts"
import type { CloseFailure } from "./ClientFailure.ts"

/** Failures of the client itself. */
type OwnTag = Exclude<CloseFailure["_tag"], keyof typeof ErrorTable>

const own: Readonly<Record<OwnTag, Retry>> = {
  InvalidOption: "after_fix",
  ServiceUnreachable: "after_delay",
  UnexpectedAnswer: "never",
  UnansweredDecision: "after_fix",
  TransactionNotVerified: "never",
  UnknownPosition: "after_fix",
  PositionVanished: "after_fix",
  UnprovenContract: "after_fix",
  CallbackFailed: "after_fix",
  WitnessUnavailable: "after_delay",
  CloseAborted: "after_delay"
}

/** Whether a value is a failure that stops a close. */
export const isCloseFailure = (failure: unknown): failure is CloseFailure =>
  typeof failure === "object" && failure !== null && "_tag" in failure && typeof failure._tag === "string" &&
  (failure._tag in ErrorTable || failure._tag in own)

/** The code of a failure: that of the service's table, or its own tag. */
export const codeOf = ({ _tag }: CloseFailure): string => (_tag in own ? _tag : ErrorTable[_tag as keyof typeof ErrorTable].code)

/** What helps against a failure that stopped a close: nothing, another input, time, or a new plan. */
export const retryOf = (failure: CloseFailure): Retry =>
  failure._tag in own ? own[failure._tag as OwnTag] : ErrorTable[failure._tag as keyof typeof ErrorTable].retry
