import type { xdr } from "@stellar/stellar-sdk"
import { Context, Duration, Effect, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { SendAnswer } from "../../chain/contract-rpc/SendAnswer.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { withPatience } from "../../chain/pace/Patience.ts"
import type { AccountNotFound } from "../../domain/failure/Request.ts"
import {
  BadSignatures,
  type StaleSequence,
  SubmissionBusy,
  TransactionExpired,
  TransactionRejected
} from "../../domain/failure/Submitting.ts"
import type { SubmitResult } from "../../domain/SubmitResult.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { resultCodes } from "../situation/ResultCodes.ts"
import type { SubmittedEnvelope } from "../situation/SubmittedEnvelope.ts"
import { RecentSubmissions } from "./RecentSubmissions.ts"
import { type OutcomeFailure, TransactionOutcomes } from "./TransactionOutcomes.ts"
import { transactionQueue } from "./TransactionQueue.ts"

/** Why the network did not take a transaction. */
export type SendFailure = StaleSequence | AccountNotFound | BadSignatures | TransactionRejected | SubmissionBusy

/** How long a transaction is sent again that the network puts off. */
const sendingPatience = Duration.toMillis("80 seconds")
/** Before a transaction is sent again that was put off, or may have got through. */
const untilSentAgain = "2 seconds"

/** The result of sending once. */
type SendResult =
  | { readonly _tag: "Sent"; readonly ledger: number }
  | { readonly _tag: "Busy"; readonly resent: boolean }
  /** It may have got through. */
  | { readonly _tag: "Lost" }
  | { readonly _tag: "RateLimited"; readonly failure: ChainFailure }
  | {
    readonly _tag: "Rejected"
    readonly ledger: number
    readonly resent: boolean
    readonly result: xdr.TransactionResult | null
    readonly codes: ReturnType<typeof resultCodes>
  }

type RejectedSend = Extract<SendResult, { readonly _tag: "Rejected" }>

/** Whether a copy may have got through without an answer. */
const isUncertain = (sent: SendResult): boolean => sent._tag === "Lost" || ("resent" in sent && sent.resent)

const sendResultOf = ({ latestLedger: ledger, resent, result, status }: SendAnswer): SendResult => {
  switch (status) {
    case "PENDING":
    case "DUPLICATE":
      return { _tag: "Sent", ledger }
    case "TRY_AGAIN_LATER":
      return { _tag: "Busy", resent }
    case "ERROR":
      return {
        _tag: "Rejected",
        ledger,
        resent,
        result,
        codes: result === null ? { resultCode: "tx_rejected", operationResultCodes: [] } : resultCodes(result)
      }
  }
}

/** The result where no answer came. */
const sendResultWithout = (failure: ChainFailure): SendResult =>
  failure._tag === "UpstreamRateLimited" ? { _tag: "RateLimited", failure } : { _tag: "Lost" }

const failureFor = (codes: ReturnType<typeof resultCodes>): BadSignatures | TransactionRejected | TransactionExpired => {
  switch (codes.resultCode) {
    case "tx_too_late":
      return new TransactionExpired()
    case "tx_bad_auth":
    case "tx_bad_auth_extra":
      return new BadSignatures({ needed: [], unused: 0 })
    default:
      return new TransactionRejected(codes)
  }
}

/** What the network says of a transaction once it is applied: it may be this very one that made it so. */
const ofApplied: ReadonlySet<string> = new Set(["tx_bad_seq", "tx_no_source_account"])

/** Sends signed envelopes to the network, always the same one, until their outcome is known. */
export class EnvelopeSender extends Context.Tag("closeout/close/EnvelopeSender")<EnvelopeSender, {
  /**
   * Sends an envelope (base64) and waits for its ledger. While it is not known whether it got through it is sent again: that is
   * idempotent, a second copy is `DUPLICATE`. The caller bounds how long.
   */
  readonly send: (
    submitted: SubmittedEnvelope,
    envelope: string
  ) => Effect.Effect<SubmitResult, SendFailure | OutcomeFailure | ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    EnvelopeSender,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const outcomes = yield* TransactionOutcomes
      const queue = yield* transactionQueue
      const recent = yield* RecentSubmissions

      const sendOnce = (envelope: string): Effect.Effect<SendResult> =>
        Effect.match(withPatience(rpc.sendTransaction(envelope)), { onFailure: sendResultWithout, onSuccess: sendResultOf })

      const endOfRejected = (submitted: SubmittedEnvelope, { codes, ledger, result }: RejectedSend, doubt: boolean) => {
        if (ofApplied.has(codes.resultCode)) return outcomes.ofUsedSequence(submitted)
        if (result?.result.type === "txInsufficientFee") {
          return queue.rejected(submitted, { ledger, feeCharged: result.feeCharged, isUncertain: doubt })
        }
        return doubt ? null : outcomes.orFailure(submitted, failureFor(codes))
      }

      /** How a result ends the sending; null: the transaction's outcome is not known yet. `doubt`: an earlier copy may have got through. */
      const endOf = (
        submitted: SubmittedEnvelope,
        sent: SendResult,
        doubt: boolean
      ): Effect.Effect<SubmitResult, SendFailure | OutcomeFailure | ChainFailure> | null => {
        switch (sent._tag) {
          case "Sent":
            return queue.wait(submitted, sent.ledger)
          case "Rejected":
            return endOfRejected(submitted, sent, doubt)
          case "RateLimited":
            return doubt ? null : outcomes.orFailure(submitted, sent.failure)
          case "Busy":
          case "Lost":
            return null
        }
      }

      const send = Effect.fnUntraced(function*(submitted: SubmittedEnvelope, envelope: string) {
        const began = yield* steadyMillis
        let doubt = false
        for (;;) {
          const sent = yield* sendOnce(envelope)
          doubt ||= isUncertain(sent)
          if (sent._tag === "Sent" || doubt) yield* recent.note(submitted.hash)
          const end = endOf(submitted, sent, doubt)
          if (end !== null) return yield* end
          const outcome = yield* withPatience(outcomes.find(submitted))
          if (Option.isSome(outcome)) return outcome.value
          // Without doubt, every copy was put off.
          if (!doubt && (yield* steadyMillis) - began >= sendingPatience) return yield* new SubmissionBusy()
          yield* Effect.sleep(untilSentAgain)
        }
      })

      return EnvelopeSender.of({
        send: (submitted, envelope) =>
          Effect.tapErrorTag(send(submitted, envelope), "TransactionExpired", () => recent.forget(submitted.hash))
      })
    })
  )
}
