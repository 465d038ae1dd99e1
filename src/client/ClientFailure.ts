import { Data } from "effect"
import type { AnyFailure } from "../api/ErrorTable.ts"
import type { Question } from "./Question.ts"

/** An option of the caller is no usable value. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{ readonly option: string; readonly reason: string }> {
  override get message() {
    return `${this.option}: ${this.reason}`
  }
}

/** The service gives no answer, or something between it and the caller answers in its place. */
export class ServiceUnreachable extends Data.TaggedError("ServiceUnreachable")<{ readonly reason: string }> {
  override get message() {
    return `The service does not answer: ${this.reason}`
  }
}

/** The service answers something that this client does not follow. Nothing more is signed. */
export class UnexpectedAnswer extends Data.TaggedError("UnexpectedAnswer")<{ readonly reason: string }> {
  override get message() {
    return `The service's answer is not one that this client follows: ${this.reason}`
  }
}

/** A question that only the owner can answer has no answer. It carries its options. */
export class UnansweredDecision extends Data.TaggedError("UnansweredDecision")<{ readonly question: Question }> {
  override get message() {
    const { id, options, reason } = this.question
    const choices = options.map((option) => option.id).join(", ")
    return reason === "unanswered"
      ? `${id} needs a decision: one of ${choices}.`
      : `${id} needs your word, because its floor is ${
        reason === "below_market" ? "below the market" : "lower than agreed"
      }: one of ${choices}.`
  }
}

/** One way in which a transaction differs from what was agreed. */
export interface RefusedBecause {
  readonly rule: string
  readonly operation: number | null
  readonly message: string
}

/** A transaction is not what was agreed. It is not signed. */
export class TransactionNotVerified extends Data.TaggedError("TransactionNotVerified")<{
  readonly hash: string | null
  readonly violations: ReadonlyArray<RefusedBecause>
}> {
  override get message() {
    return `The transaction is not what was agreed, so it is not signed: ${this.violations.map(({ message }) => message).join(" ")}`
  }
}

/** The account holds something in a protocol of which this client knows no contract. */
export class UnknownPosition extends Data.TaggedError("UnknownPosition")<{ readonly protocol: string; readonly positionId: string }> {
  override get message() {
    return `The account holds ${this.positionId}, and this client knows no contract of ${this.protocol}. Add the protocol to the option contracts.`
  }
}

/** A position that the account had since its close began is shown no more, though no call can have withdrawn it. Nothing is merged. */
export class PositionVanished extends Data.TaggedError("PositionVanished")<{ readonly positionId: string }> {
  override get message() {
    return `The account had ${this.positionId} during its close, and it is shown no more, though nothing withdrew it. A source may hide it, so nothing is merged. Look for it by another source before you close again.`
  }
}

/** A transaction calls a contract of which only the service says which code runs there. It is not signed. */
export class UnprovenContract extends Data.TaggedError("UnprovenContract")<{
  readonly contract: string
  /** SHA-256 of the wasm that runs there as the service says, hex. The transaction would pass if that were so. */
  readonly wasmHash: string
}> {
  override get message() {
    return `The transaction calls ${this.contract}, and only the service says which code runs there. Name a contract RPC of your own as witness, or list the contract in the option contracts.`
  }
}

/** A function of the caller (`sign`, `decide`) failed, or gave something unusable. */
export class CallbackFailed extends Data.TaggedError("CallbackFailed")<{ readonly callback: string; readonly cause: unknown }> {
  override get message() {
    return `${this.callback} failed: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/** A source of the caller's own (`witness`) gives no usable answer. */
export class WitnessUnavailable extends Data.TaggedError("WitnessUnavailable")<{
  /** Of its address: path and query often hold a provider's key. */
  readonly origin: string
  readonly reason: string
}> {
  override get message() {
    return `The witness ${this.origin} is of no use now: ${this.reason}`
  }
}

/** The caller's `signal` was aborted. */
export class CloseAborted extends Data.TaggedError("CloseAborted")<Record<never, never>> {
  override get message() {
    return "The close was aborted. Call again to resume it."
  }
}

/** Why a close stops: a failure of the service by its class, or one of this client. */
export type CloseFailure =
  | AnyFailure
  | InvalidOption
  | ServiceUnreachable
  | UnexpectedAnswer
  | UnansweredDecision
  | TransactionNotVerified
  | UnknownPosition
  | PositionVanished
  | UnprovenContract
  | CallbackFailed
  | WitnessUnavailable
  | CloseAborted
