import type { xdr } from "@stellar/stellar-sdk"
import { Cause, Effect, Option, Ref, Schema } from "effect"
import { TransactionHash } from "../../domain/Ledger.ts"
import { optional } from "../../domain/OptionalField.ts"
import type { Fault } from "../Fault.ts"
import { NewerXdr } from "../xdr/KnownXdr.ts"
import { TransactionResultText } from "../xdr/XdrText.ts"
import type { Call } from "./JsonRpc.ts"
import { LedgerNumber } from "./WireNumbers.ts"

/** What the queue of the network said to an envelope. */
export interface SendAnswer {
  /** `PENDING` queued; `DUPLICATE` queued before; `TRY_AGAIN_LATER` no room, or another of the account is pending; `ERROR` refused. */
  readonly status: "PENDING" | "DUPLICATE" | "TRY_AGAIN_LATER" | "ERROR"
  /** 64 lower-case hex characters. */
  readonly hash: string
  /** Why it was refused; null unless `ERROR`, and where it has an unknown arm. */
  readonly result: xdr.TransactionResult | null
  readonly latestLedger: number
  /**
   * An earlier copy went out whose answer was lost. `ERROR` and `TRY_AGAIN_LATER` then prove nothing (a copy that was applied makes the
   * next one stale): look the transaction up by its hash.
   */
  readonly resent: boolean
}

const Result = Schema.Struct({
  status: Schema.Literal("PENDING", "DUPLICATE", "TRY_AGAIN_LATER", "ERROR"),
  hash: TransactionHash,
  latestLedger: LedgerNumber,
  errorResultXdr: optional(TransactionResultText)
}).pipe(Schema.filter(({ errorResultXdr, status }) => status !== "ERROR" || errorResultXdr !== undefined || "an ERROR with its result"))

/** Whether the envelope surely got no further than the door. */
const turnedAway = (cause: Cause.Cause<Fault>): boolean =>
  Option.exists(Cause.failureOption(cause), (fault) => fault._tag === "Throttled" || fault._tag === "Refused")

/** `sendTransaction`: an attempt, which sets `lost` where a copy may have gone through and its answer did not come. */
export const sendTransaction = (call: Call) => (envelope: string, lost: Ref.Ref<boolean>) => (url: URL) =>
  Effect.gen(function*() {
    const resent = yield* Ref.get(lost)
    const answer = yield* call("sendTransaction", { transaction: envelope }, Result)(url).pipe(
      Effect.onError((cause) => Ref.update(lost, (before) => before || !turnedAway(cause)))
    )
    const told: SendAnswer = {
      status: answer.status,
      hash: answer.hash,
      result: answer.errorResultXdr instanceof NewerXdr ? null : answer.errorResultXdr ?? null,
      latestLedger: answer.latestLedger,
      resent
    }
    return told
  })
