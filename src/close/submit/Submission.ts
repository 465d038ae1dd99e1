import type { xdr } from "@stellar/stellar-sdk"
import { Context, Duration, Effect, Either, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { allReadable } from "../../chain/contract-rpc/LiveEntry.ts"
import type { TransactionAnswer } from "../../chain/contract-rpc/TransactionAnswer.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { inTurns } from "../../chain/pace/Turns.ts"
import type { InvalidTransaction } from "../../domain/failure/Input.ts"
import { BadSignatures, ConfirmationTimeout, StaleSequence } from "../../domain/failure/Submitting.ts"
import type { TransactionHash } from "../../domain/Ledger.ts"
import type { SubmitResult, TransactionStatus } from "../../domain/SubmitResult.ts"
import { innermost } from "../../ledger/Transaction.ts"
import { sourceOf } from "../../ledger/Validity.ts"
import { addressOf } from "../../stellar/Names.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { forwardingOf } from "../mediator/MediatedEnvelope.ts"
import { MediatorResidue } from "../mediator/MediatorResidue.ts"
import { RecentTransactions } from "../read/RecentTransactions.ts"
import { resultCodes } from "../situation/ResultCodes.ts"
import { type SubmittedEnvelope, submittedEnvelope, withSignatures } from "../situation/SubmittedEnvelope.ts"
import { EnvelopeSender, type SendFailure } from "./EnvelopeSender.ts"
import { RecentSubmissions } from "./RecentSubmissions.ts"
import { minimalSignatures, needsOf, signersNeeded } from "./SignatureSet.ts"
import { SubmitGate, type SubmitGateFailure } from "./SubmitGate.ts"
import { type OutcomeFailure, TransactionOutcomes } from "./TransactionOutcomes.ts"

export type SubmitFailure = InvalidTransaction | SubmitGateFailure | SendFailure | OutcomeFailure | ConfirmationTimeout | ChainFailure

/** How long everything may take together. The route's own deadline lies behind. */
const patience = Duration.seconds(90)

const statusOf = (hash: TransactionHash, answer: TransactionAnswer, wasSent: boolean): TransactionStatus => {
  if (answer.status === "NOT_FOUND") {
    return wasSent ? { hash, status: "pending" } : { hash, status: "unknown", oldestLedger: answer.oldestLedger }
  }
  return {
    hash,
    status: answer.status === "SUCCESS" ? "success" : "failed",
    ledger: answer.ledger,
    ...(answer.result === undefined ? {} : { resultCode: resultCodes(answer.result).resultCode })
  }
}

/** Submits signed transactions. It never builds or changes one, beyond leaving out signatures the network would reject. */
export class Submission extends Context.Tag("closeout/close/Submission")<Submission, {
  /** Sends a signed envelope (base64) and waits for its ledger. One that is on the ledger already is reported at once. */
  readonly submit: (signedXdr: string) => Effect.Effect<SubmitResult, SubmitFailure>
  /** The status of a transaction on the network. */
  readonly lookup: (hash: TransactionHash) => Effect.Effect<TransactionStatus, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    Submission,
    Effect.gen(function*() {
      const outcomes = yield* TransactionOutcomes
      const sender = yield* EnvelopeSender
      const recent = yield* RecentSubmissions
      const landed = yield* RecentTransactions
      const entries = yield* LedgerEntries
      const gate = yield* SubmitGate
      const residue = yield* MediatorResidue
      const { passphrase } = yield* NetworkSettings

      const accountsOf = (ids: ReadonlyArray<xdr.PublicKey>) =>
        entries.many(ids.map((id) => accountKey(addressOf(id)))).pipe(
          Effect.flatMap((found) => allReadable(found.flatMap(Option.toArray))),
          Effect.map((found) =>
            new Map(
              found.flatMap(({ data }) => data.type === "account" ? [[addressOf(data.account.accountId), data.account] as const] : [])
            )
          )
        )

      const signedMinimally = (submitted: SubmittedEnvelope, accounts: ReadonlyMap<string, xdr.AccountEntry>) => {
        const given = submitted.envelope.type === "envelopeTypeTxFeeBump"
          ? submitted.envelope.feeBump.signatures
          : innermost(submitted.transaction).signatures
        return Effect.flatMap(
          inTurns(() => minimalSignatures(submitted.transaction, given, needsOf(submitted.transaction, accounts))),
          (verdict) =>
            verdict._tag === "Sufficient"
              ? Effect.succeed(withSignatures(submitted, verdict.signatures).toXdr("base64"))
              : Effect.fail(new BadSignatures({ needed: verdict.needed, unused: verdict.unused }))
        )
      }

      /** An account by which the transaction cannot come next: it may be the transaction itself that made it so. */
      const outOfTurn = (submitted: SubmittedEnvelope, account: xdr.AccountEntry | undefined) =>
        account !== undefined && submitted.sequence > account.seqNum
          ? outcomes.orFailure(submitted, new StaleSequence({ expected: (account.seqNum + 1n).toString() }))
          : outcomes.ofUsedSequence(submitted)

      const checkedAndSent = Effect.fnUntraced(function*(submitted: SubmittedEnvelope) {
        const { source } = innermost(submitted.transaction)
        const [found, gated] = yield* Effect.all([
          Effect.either(accountsOf([source, ...signersNeeded(submitted.transaction)])),
          Effect.either(gate.check(submitted))
        ], { batching: true, concurrency: 2 })
        // It is looked for only where something speaks against sending it: one that was applied has used up its sequence number.
        if (Either.isLeft(found)) return yield* outcomes.orFailure(submitted, found.left)
        const accounts = found.right
        const account = accounts.get(addressOf(source))
        if (account === undefined || submitted.sequence !== account.seqNum + 1n) return yield* outOfTurn(submitted, account)
        const forwarding = forwardingOf(innermost(submitted.transaction))
        if (Either.isLeft(gated)) {
          return yield* gated.left._tag === "AccountNotFound"
            ? outcomes.ofUsedSequence(submitted)
            : outcomes.orFailure(submitted, gated.left)
        }
        const envelope = yield* signedMinimally(submitted, accounts)
        const sent = sender.send(submitted, envelope)
        return yield* forwarding === null ? sent : Effect.tap(sent, () => residue.note(submitted.hash, forwarding))
      })

      /** What the next question about its accounts begins with. */
      const noted = ({ hash, transaction }: SubmittedEnvelope, ledger: number) => {
        const inner = innermost(transaction)
        return Effect.forEach(inner.tx.operations, (operation) => {
          if (operation.body.type === "accountMerge") return landed.noteMerge(addressOf(sourceOf(operation, inner)), hash)
          return operation.body.type === "invokeHostFunction" ? landed.noteCall(addressOf(inner.source), ledger) : Effect.void
        }, { discard: true })
      }

      const submit = Effect.fnUntraced(function*(signedXdr: string) {
        const submitted = yield* submittedEnvelope(signedXdr, passphrase)
        yield* gate.admit(submitted)
        return yield* checkedAndSent(submitted).pipe(
          Effect.tap(({ ledger }) => noted(submitted, ledger)),
          Effect.timeoutFail({ duration: patience, onTimeout: () => new ConfirmationTimeout({ hash: submitted.hash }) })
        )
      })

      const lookup = (hash: TransactionHash) =>
        Effect.zipWith(outcomes.answer(hash), recent.has(hash), (answer, wasSent) => statusOf(hash, answer, wasSent))

      return { submit, lookup }
    })
  ).pipe(Layer.provide(EnvelopeSender.layer), Layer.provide([TransactionOutcomes.layer, RecentSubmissions.layer]))
}
