import { Array as Arr, Data, Duration } from "effect"
import { NetworkUnavailable, UpstreamRateLimited, UpstreamUnusable } from "../domain/failure/Upstream.ts"
import type { Network } from "../domain/Network.ts"
import { overdue, unanswered } from "./Attempt.ts"
import type { ChainFailure, ChainSource } from "./ChainFailure.ts"
import { type Fault, Undecodable } from "./Fault.ts"
import type { FailedRound } from "./pace/RetryPolicy.ts"
import { longestWait } from "./RpcPolicy.ts"

const waitOf = (fault: Fault): Duration.Duration => {
  switch (fault._tag) {
    case "Throttled":
      return fault.retryAfter ?? Duration.zero
    case "Undecodable":
      return Duration.infinity
    case "Unreachable":
    case "Refused":
      return Duration.zero
  }
}

/** The fault of an endpoint that serves another network. */
export const foreign = new Undecodable({ reason: "serves another network" })

/** No fault of the endpoint: it was not waited for any longer. */
const isBrokenOff = (fault: Fault): boolean => fault === overdue || fault === unanswered

/** Whether no further endpoint is queried after it. */
export const isFinal = (fault: Fault): boolean => fault._tag === "Refused" || isBrokenOff(fault)

/** Every endpoint was queried, or rests, and none answered. */
export class RoundFailed extends Data.TaggedError("RoundFailed")<{
  readonly faults: Arr.NonEmptyReadonlyArray<Fault>
  /** When the whole call ends, milliseconds of `steadyNow`. */
  readonly callEndsAt: number
}> implements FailedRound {
  /** The shortest time after which some endpoint may be queried. */
  get retryAfter(): Duration.Duration {
    return this.faults.map(waitOf).reduce(Duration.min)
  }
  /** Its one fault is an answer that does not decode. Of several endpoints the next one was queried already. */
  get mayBeAccident(): boolean {
    return this.faults.length === 1 && this.faults[0]._tag === "Undecodable" && this.faults[0] !== foreign
  }
  /** It was broken off. */
  get isOverdue(): boolean {
    return isBrokenOff(this.faults[0])
  }
  /** Its one question had no answer in the time that it was given, however else the call goes. */
  get isUnanswered(): boolean {
    return this.faults[0] === unanswered
  }
  get isRetryable(): boolean {
    return (
      !this.isOverdue &&
      this.faults.some((fault) => fault._tag === "Throttled" || (fault._tag === "Unreachable" && fault.givenUp !== true)) &&
      this.faults.every((fault) => fault._tag !== "Refused") &&
      Duration.lessThanOrEqualTo(this.retryAfter, longestWait)
    )
  }
  /** The failure of the whole call, where this was its last round. */
  failure({ network, source }: { readonly network: Network; readonly source: ChainSource }): ChainFailure {
    const throttled = this.faults.filter((fault) => fault._tag === "Throttled")
    if (Arr.isNonEmptyArray(throttled)) {
      const seconds = Duration.toSeconds(throttled.map(waitOf).reduce(Duration.min))
      return new UpstreamRateLimited({ retryAfterSeconds: Math.max(1, Math.ceil(seconds)) })
    }
    return this.faults.some((fault) => fault._tag === "Unreachable")
      ? new NetworkUnavailable({ network, source })
      : new UpstreamUnusable({ source })
  }
}
