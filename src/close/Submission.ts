import { StrKey, xdr } from "@stellar/stellar-sdk"
import { Context, Duration, Effect, Layer, Option, Schedule } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import type { TransactionAnswer } from "../chain/contract-rpc/TransactionAnswer.ts"
import { LedgerEntries } from "../chain/LedgerEntries.ts"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import { inTurns } from "../chain/Turns.ts"
import type { InvalidTransaction } from "../domain/failure/Input.ts"
import { AccountNotFound } from "../domain/failure/Request.ts"
import {
  BadSignatures,
  ConfirmationTimeout,
  StaleSequence,
  SubmissionBusy,
  TransactionExpired,
  TransactionFailed,
  TransactionRejected
} from "../domain/failure/Submitting.ts"
import type { TransactionHash } from "../domain/Ledger.ts"
import type { SubmitResult, TransactionStatus } from "../domain/Submission.ts"
import { accountKey } from "../ledger/LedgerKey.ts"
import { innermost } from "../ledger/Transaction.ts"
import { resultCodes } from "./ResultCodes.ts"
import { forwardingOf } from "./mediator/Shape.ts"
import { Residue } from "./mediator/Residue.ts"
import { minimalSignatures, needsOf, signersNeeded } from "./SignatureSet.ts"
import { type SubmittedEnvelope, submittedEnvelope, withSignatures } from "./SubmittedEnvelope.ts"
import { SubmitGate, type SubmitGateFailure } from "./SubmitGate.ts"

export type SubmitFailure =
  | InvalidTransaction
  | AccountNotFound
  | SubmitGateFailure
  | BadSignatures
  | StaleSequence
  | TransactionExpired
  | TransactionRejected
  | TransactionFailed
  | SubmissionBusy
  | ConfirmationTimeout
  | ChainFailure

/** How long the network is asked to take a transaction that it puts off. */
const sendingPatience = Duration.seconds(80)
/** How long sending and confirming may take together. The route's own deadline lies behind. */
const patience = Duration.seconds(90)

const addressOf = (id: xdr.PublicKey): string => StrKey.encodeEd25519PublicKey(id.ed25519.value)

/** Whether no ledger after the newest one can take the transaction any more. */
const isPast = ({ maxLedger, maxTime }: SubmittedEnvelope, { latestCloseTime, latestLedger }: TransactionAnswer): boolean =>
  (maxTime !== null && latestCloseTime > maxTime) || (maxLedger !== null && latestLedger + 1 >= maxLedger)

/** The outcome on the ledger, or none while the network does not know the transaction. */
const settled = (
  submitted: SubmittedEnvelope,
  answer: TransactionAnswer
): Effect.Effect<Option.Option<SubmitResult>, TransactionFailed | TransactionExpired> => {
  const { hash } = submitted
  const ledger = answer.ledger ?? 0
  switch (answer.status) {
    case "SUCCESS":
      return Effect.succeedSome({ status: "success", hash, ledger })
    case "FAILED": {
      const codes = answer.result === undefined ? { resultCode: "tx_failed", operationResultCodes: [] } : resultCodes(answer.result)
      return Effect.fail(new TransactionFailed({ hash, ledger, ...codes }))
    }
    case "NOT_FOUND":
      return isPast(submitted, answer) ? Effect.fail(new TransactionExpired()) : Effect.succeedNone
  }
}

/** Brings signed transactions to the ledger. It never builds or changes one, beyond leaving out signatures the network would refuse. */
export class Submission extends Context.Tag("closeout/close/Submission")<Submission, {
  /** Sends a signed envelope (base64) and waits for its ledger. What is already there is answered at once. */
  readonly submit: (signedXdr: string) => Effect.Effect<SubmitResult, SubmitFailure>
  /** What the network knows of a transaction. */
  readonly lookup: (hash: TransactionHash) => Effect.Effect<TransactionStatus, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    Submission,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const entries = yield* LedgerEntries
      const gate = yield* SubmitGate
      const residue = yield* Residue
      const { passphrase } = yield* NetworkSettings

      const onLedger = (submitted: SubmittedEnvelope) => Effect.flatMap(rpc.transaction(submitted.hash), (answer) => settled(submitted, answer))

      /** The failure, unless the transaction turns out to be on the ledger after all. */
      const unlessApplied = <E>(submitted: SubmittedEnvelope, failure: E) =>
        Effect.flatMap(onLedger(submitted), Option.match({ onNone: () => Effect.fail(failure), onSome: Effect.succeed }))

      const accountsOf = (ids: ReadonlyArray<xdr.PublicKey>) =>
        Effect.map(entries.many(ids.map((id) => accountKey(addressOf(id)))), (found) =>
          new Map(found.flatMap((live) =>
            Option.isSome(live) && live.value.entry.data.type === "account"
              ? [[addressOf(live.value.entry.data.account.accountId), live.value.entry.data.account] as const]
              : []
          )))

      const signedMinimally = (submitted: SubmittedEnvelope, accounts: ReadonlyMap<string, xdr.AccountEntry>) => {
        const given = submitted.envelope.type === "envelopeTypeTxFeeBump" ? submitted.envelope.feeBump.signatures : innermost(submitted.transaction).signatures
        return Effect.flatMap(inTurns(() => minimalSignatures(submitted.transaction, given, needsOf(submitted.transaction, accounts))), (verdict) =>
          verdict.kind === "sufficient"
            ? Effect.succeed(withSignatures(submitted, verdict.signatures).toXdr("base64"))
            : Effect.fail(new BadSignatures({ needed: verdict.needed, unused: verdict.unused })))
      }

      /**
       * The outcome, or none once the network has the transaction, or may have it: an answer that was lost says nothing about what was
       * sent. A source that is busy has not read it.
       */
      const send = (submitted: SubmittedEnvelope, envelope: string, expected: bigint) =>
        Effect.gen(function*() {
          const sent = yield* rpc.sendTransaction(envelope).pipe(
            Effect.asSome,
            Effect.catchTags({
              NetworkUnavailable: () => Effect.succeedNone,
              UpstreamUnusable: () => Effect.succeedNone,
              DeadlineExceeded: () => Effect.succeedNone,
              UpstreamRateLimited: (limited) => Effect.zipRight(unlessApplied(submitted, limited), Effect.succeedNone)
            })
          )
          if (Option.isNone(sent)) return Option.none<SubmitResult>()
          const answer = sent.value
          if (answer.status === "TRY_AGAIN_LATER") return yield* new SubmissionBusy()
          if (answer.status !== "ERROR") return Option.none<SubmitResult>()
          const codes = answer.result === null ? { resultCode: "tx_rejected", operationResultCodes: [] } : resultCodes(answer.result)
          return yield* Effect.asSome(unlessApplied(submitted, refusalFor(codes, expected)))
        }).pipe(
          Effect.retry({ while: ({ _tag }) => _tag === "SubmissionBusy", schedule: Schedule.spaced("2 seconds").pipe(Schedule.upTo(sendingPatience)) }),
          Effect.catchTag("SubmissionBusy", (busy) => Effect.asSome(unlessApplied(submitted, busy)))
        )

      /** Sent is sent: a source that does not answer now changes nothing about the transaction, so it is asked again. */
      const confirmed = (submitted: SubmittedEnvelope): Effect.Effect<SubmitResult, TransactionFailed | TransactionExpired | ConfirmationTimeout> => {
        const unconfirmed = new ConfirmationTimeout({ hash: submitted.hash })
        return onLedger(submitted).pipe(
          Effect.flatMap(Option.match({ onNone: () => Effect.fail(unconfirmed), onSome: Effect.succeed })),
          Effect.catchTags({
            NetworkUnavailable: () => Effect.fail(unconfirmed),
            UpstreamRateLimited: () => Effect.fail(unconfirmed),
            UpstreamUnusable: () => Effect.fail(unconfirmed),
            DeadlineExceeded: () => Effect.fail(unconfirmed)
          }),
          Effect.retry({ while: ({ _tag }) => _tag === "ConfirmationTimeout", schedule: Schedule.spaced("1 second") })
        )
      }

      const submit = Effect.fn("Submission.submit")(function*(signedXdr: string) {
        const submitted = yield* submittedEnvelope(signedXdr, passphrase)
        yield* gate.admit(submitted)
        const known = yield* onLedger(submitted)
        if (Option.isSome(known)) return known.value
        const { source } = innermost(submitted.transaction)
        const accounts = yield* accountsOf([source, ...signersNeeded(submitted.transaction)])
        const account = accounts.get(addressOf(source))
        if (account === undefined) return yield* unlessApplied(submitted, new AccountNotFound({ address: addressOf(source) }))
        const expected = account.seqNum + 1n
        if (submitted.sequence !== expected) return yield* unlessApplied(submitted, new StaleSequence({ expected: expected.toString() }))
        const forwarding = forwardingOf(innermost(submitted.transaction))
        const applied = yield* gate.check(submitted).pipe(Effect.as(null), Effect.catchAll((failure) => unlessApplied(submitted, failure)))
        if (applied !== null) return applied
        const envelope = yield* signedMinimally(submitted, accounts)
        const sent = send(submitted, envelope, expected).pipe(
          Effect.flatMap(Option.match({ onNone: () => confirmed(submitted), onSome: Effect.succeed })),
          Effect.timeoutFail({ duration: patience, onTimeout: () => new ConfirmationTimeout({ hash: submitted.hash }) })
        )
        return yield* forwarding === null ? sent : Effect.tap(sent, () => residue.note(submitted.hash, forwarding))
      })

      const lookup = Effect.fn("Submission.lookup")(function*(hash: TransactionHash) {
        const answer = yield* rpc.transaction(hash)
        const status: TransactionStatus = answer.status === "NOT_FOUND"
          ? { hash, status: "unknown", oldestLedger: answer.oldestLedger }
          : {
            hash,
            status: answer.status === "SUCCESS" ? "success" : "failed",
            ...(answer.ledger === undefined ? {} : { ledger: answer.ledger }),
            ...(answer.result === undefined ? {} : { resultCode: resultCodes(answer.result).resultCode })
          }
        return status
      })

      return { submit, lookup }
    })
  )
}

const refusalFor = (codes: ReturnType<typeof resultCodes>, expected: bigint) => {
  switch (codes.resultCode) {
    case "tx_bad_seq":
      return new StaleSequence({ expected: expected.toString() })
    case "tx_too_late":
      return new TransactionExpired()
    case "tx_bad_auth":
    case "tx_bad_auth_extra":
      return new BadSignatures({ needed: [], unused: 0 })
    default:
      return new TransactionRejected(codes)
  }
}
