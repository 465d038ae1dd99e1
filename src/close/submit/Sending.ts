import type { xdr } from "@stellar/stellar-sdk"
import { Context, Duration, Effect, Either, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { SendAnswer } from "../../chain/contract-rpc/SendAnswer.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { patiently } from "../../chain/pace/Patience.ts"
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
import { InclusionFees } from "../read/InclusionFees.ts"
import { resultCodes } from "../situation/ResultCodes.ts"
import type { SubmittedEnvelope } from "../situation/SubmittedEnvelope.ts"
import { feeLacking, namedFee } from "./FeeTooLow.ts"
import { type Ended, Landing } from "./Landing.ts"
import { SentLately } from "./SentLately.ts"

/** Why the network did not take a transaction. */
export type Refused = StaleSequence | AccountNotFound | BadSignatures | TransactionRejected | SubmissionBusy

/** How long the network is asked to take a transaction that it puts off. */
const sendingPatience = Duration.toMillis("80 seconds")
/** Before a transaction that was put off is sent again. */
const untilRoom = "2 seconds"
/** Before a transaction is sent again of which nobody knows whether it got through. */
const untilClear = "3 seconds"

/** What came of sending once. */
type Step =
  | { readonly kind: "sent"; readonly ledger: number }
  | { readonly kind: "busy"; readonly resent: boolean }
  /** Nobody knows whether it got through. */
  | { readonly kind: "lost" }
  | { readonly kind: "limited"; readonly failure: ChainFailure }
  | {
    readonly kind: "refused"
    readonly ledger: number
    readonly resent: boolean
    readonly result: xdr.TransactionResult | null
    readonly codes: ReturnType<typeof resultCodes>
  }

type RefusedStep = Extract<Step, { readonly kind: "refused" }>

/** Whether a copy may have got through of which nobody tells. */
const leavesDoubt = (step: Step): boolean => step.kind === "lost" || ("resent" in step && step.resent)

const stepOf = ({ latestLedger: ledger, resent, result, status }: SendAnswer): Step => {
  switch (status) {
    case "PENDING":
    case "DUPLICATE":
      return { kind: "sent", ledger }
    case "TRY_AGAIN_LATER":
      return { kind: "busy", resent }
    case "ERROR":
      return {
        kind: "refused",
        ledger,
        resent,
        result,
        codes: result === null ? { resultCode: "tx_rejected", operationResultCodes: [] } : resultCodes(result)
      }
  }
}

const refusalFor = (codes: ReturnType<typeof resultCodes>): BadSignatures | TransactionRejected | TransactionExpired => {
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

/** How the network says that a transaction bid too little. */
const tooLittle = "tx_insufficient_fee"

/** Ledgers after which the queue of the network has let go of what bid too little: it passes it over four times. */
const ledgersInQueue = 5

/** What the network says of a transaction once it is applied: it may be this very one that made it so. */
const ofApplied: ReadonlySet<string> = new Set(["tx_bad_seq", "tx_no_source_account"])

/** Hands signed envelopes to the network, always the same one, until it is known what became of them. */
export class Sending extends Context.Tag("closeout/close/Sending")<Sending, {
  /**
   * Sends an envelope (base64) and waits for its ledger. While nobody knows whether it got through it is sent again: that is
   * idempotent, a second copy is `DUPLICATE`. The caller bounds how long.
   */
  readonly bring: (submitted: SubmittedEnvelope, envelope: string) => Effect.Effect<SubmitResult, Refused | Ended | ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    Sending,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const landing = yield* Landing
      const lately = yield* SentLately
      const inclusion = yield* InclusionFees

      const rejectedFor = (feeStroops: bigint | null) =>
        new TransactionRejected({
          resultCode: tooLittle,
          operationResultCodes: [],
          ...(feeStroops === null ? {} : { feeStroops: feeStroops.toString() })
        })

      /** What the transaction lacks by fee statistics; null when it lacks nothing, or nobody tells. */
      const lackingNow = (submitted: SubmittedEnvelope) =>
        Effect.map(
          Effect.option(Effect.all([inclusion.asked, rpc.latestLedger], { concurrency: 2 })),
          Option.match({ onNone: () => null, onSome: ([asked, { baseFee }]) => feeLacking(submitted, asked, baseFee) })
        )

      /** A refusal for the fee, with the fee that the network named, or else what statistics tell; the next build bids at least as much. */
      const refusedFee = (submitted: SubmittedEnvelope, result: xdr.TransactionResult | null) =>
        Effect.gen(function*() {
          const named = result === null ? null : namedFee(submitted, result)
          if (named === null) return rejectedFor(yield* lackingNow(submitted))
          yield* inclusion.named(named.lane, named.perOperation)
          return rejectedFor(named.whole)
        })

      /** Waits for what waits in the queue, until the queue has let go of it for its fee. It may come all the same, or its successor may. */
      const awaited = (submitted: SubmittedEnvelope, sentAt: number): Effect.Effect<SubmitResult, Ended | TransactionRejected> =>
        Effect.flatMap(
          landing.awaited(submitted, sentAt + ledgersInQueue),
          Either.match({
            onLeft: (reached) =>
              Effect.flatMap(
                lackingNow(submitted),
                (lacking) => (lacking === null ? awaited(submitted, reached) : Effect.fail(rejectedFor(lacking)))
              ),
            onRight: (there) => Effect.succeed(there)
          })
        )

      const lost = Effect.succeed<Step>({ kind: "lost" })
      const once = (envelope: string): Effect.Effect<Step> =>
        patiently(rpc.sendTransaction(envelope)).pipe(
          Effect.map(stepOf),
          Effect.catchTags({
            NetworkUnavailable: () => lost,
            UpstreamUnusable: () => lost,
            DeadlineExceeded: () => lost,
            UpstreamRateLimited: (failure) => Effect.succeed<Step>({ kind: "limited", failure })
          })
        )

      /** A refusal for the fee; where an earlier copy may wait in the queue, only once the queue has let go of it. */
      const refusedForFee = (submitted: SubmittedEnvelope, { ledger, result }: RefusedStep, doubt: boolean) =>
        Effect.gen(function*() {
          const refused = yield* refusedFee(submitted, result)
          if (!doubt) return yield* landing.unlessThere(submitted, refused)
          const there = yield* landing.awaited(submitted, ledger + ledgersInQueue)
          return Either.isRight(there) ? there.right : yield* refused
        })

      const endOfRefused = (submitted: SubmittedEnvelope, step: RefusedStep, doubt: boolean) => {
        const { resultCode } = step.codes
        if (ofApplied.has(resultCode)) return landing.usedUp(submitted)
        if (resultCode === tooLittle) return refusedForFee(submitted, step, doubt)
        return doubt ? null : landing.unlessThere(submitted, refusalFor(step.codes))
      }

      /** How a step ends the sending; null: what became of the transaction is not known yet. */
      const endOf = (
        submitted: SubmittedEnvelope,
        step: Step,
        doubt: boolean
      ): Effect.Effect<SubmitResult, Refused | Ended | ChainFailure> | null => {
        switch (step.kind) {
          case "sent":
            return awaited(submitted, step.ledger)
          case "refused":
            return endOfRefused(submitted, step, doubt)
          case "limited":
            return doubt ? null : landing.unlessThere(submitted, step.failure)
          case "busy":
          case "lost":
            return null
        }
      }

      const bring = Effect.fnUntraced(function*(submitted: SubmittedEnvelope, envelope: string) {
        const began = yield* steadyMillis
        /** Whether an earlier copy may have got through. */
        let doubt = false
        for (;;) {
          const step = yield* once(envelope)
          doubt ||= leavesDoubt(step)
          if (step.kind === "sent" || doubt) yield* lately.note(submitted.hash)
          const end = endOf(submitted, step, doubt)
          if (end !== null) return yield* end
          const known = yield* patiently(landing.glance(submitted))
          if (Option.isSome(known)) return known.value
          if (step.kind === "busy" && !doubt && (yield* steadyMillis) - began >= sendingPatience) {
            return yield* new SubmissionBusy()
          }
          yield* Effect.sleep(step.kind === "busy" ? untilRoom : untilClear)
        }
      })

      return Sending.of({
        bring: (submitted, envelope) =>
          Effect.tapErrorTag(bring(submitted, envelope), "TransactionExpired", () => lately.forget(submitted.hash))
      })
    })
  )
}
