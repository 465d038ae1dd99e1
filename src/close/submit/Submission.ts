import type { xdr } from "@stellar/stellar-sdk"
import { Context, Duration, Effect, Either, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { allReadable } from "../../chain/contract-rpc/LiveEntry.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { inTurns } from "../../chain/pace/Turns.ts"
import type { InvalidTransaction } from "../../domain/failure/Input.ts"
import { BadSignatures, ConfirmationTimeout, StaleSequence } from "../../domain/failure/Submitting.ts"
import type { TransactionHash } from "../../domain/Ledger.ts"
import type { SubmitResult, TransactionStatus } from "../../domain/SubmitResult.ts"
import { accountKey } from "../../ledger/LedgerKey.ts"
import { innermost } from "../../ledger/Transaction.ts"
import { addressOf } from "../../stellar/Names.ts"
import { forwardingOf } from "../mediator/MediatedEnvelope.ts"
import { MediatorResidue } from "../mediator/MediatorResidue.ts"
import { resultCodes } from "../situation/ResultCodes.ts"
import { type SubmittedEnvelope, submittedEnvelope, withSignatures } from "../situation/SubmittedEnvelope.ts"
import { type Ended, Landing } from "./Landing.ts"
import { type Refused, Sending } from "./Sending.ts"
import { SentLately } from "./SentLately.ts"
import { minimalSignatures, needsOf, signersNeeded } from "./SignatureSet.ts"
import { SubmitGate, type SubmitGateFailure } from "./SubmitGate.ts"

export type SubmitFailure = InvalidTransaction | SubmitGateFailure | Refused | Ended | ConfirmationTimeout | ChainFailure

/** How long everything may take together. The route's own deadline lies behind. */
const patience = Duration.seconds(90)

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
      const landing = yield* Landing
      const sending = yield* Sending
      const lately = yield* SentLately
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
            verdict.kind === "sufficient"
              ? Effect.succeed(withSignatures(submitted, verdict.signatures).toXdr("base64"))
              : Effect.fail(new BadSignatures({ needed: verdict.needed, unused: verdict.unused }))
        )
      }

      /** An account by which the transaction cannot come next: it may be the transaction itself that made it so. */
      const outOfTurn = (submitted: SubmittedEnvelope, account: xdr.AccountEntry | undefined) =>
        account !== undefined && submitted.sequence > account.seqNum + 1n
          ? landing.unlessThere(submitted, new StaleSequence({ expected: (account.seqNum + 1n).toString() }))
          : landing.usedUp(submitted)

      const brought = Effect.fnUntraced(function*(submitted: SubmittedEnvelope) {
        const { source } = innermost(submitted.transaction)
        const [found, gated] = yield* Effect.all([
          Effect.either(accountsOf([source, ...signersNeeded(submitted.transaction)])),
          Effect.either(gate.check(submitted))
        ], { batching: true, concurrency: 2 })
        // It is looked for only where something speaks against sending it: one that was applied has used up its sequence number.
        if (Either.isLeft(found)) return yield* landing.unlessThere(submitted, found.left)
        const accounts = found.right
        const account = accounts.get(addressOf(source))
        if (account === undefined || submitted.sequence !== account.seqNum + 1n) return yield* outOfTurn(submitted, account)
        const forwarding = forwardingOf(innermost(submitted.transaction))
        if (Either.isLeft(gated)) {
          return yield* gated.left._tag === "AccountNotFound" ? landing.usedUp(submitted) : landing.unlessThere(submitted, gated.left)
        }
        const envelope = yield* signedMinimally(submitted, accounts)
        const sent = sending.bring(submitted, envelope)
        return yield* forwarding === null ? sent : Effect.tap(sent, () => residue.note(submitted.hash, forwarding))
      })

      const submit = Effect.fnUntraced(function*(signedXdr: string) {
        const submitted = yield* submittedEnvelope(signedXdr, passphrase)
        yield* gate.admit(submitted)
        return yield* Effect.timeoutFail(brought(submitted), {
          duration: patience,
          onTimeout: () => new ConfirmationTimeout({ hash: submitted.hash })
        })
      })

      const lookup = Effect.fnUntraced(function*(hash: TransactionHash) {
        const answer = yield* rpc.transaction(hash)
        if (answer.status === "NOT_FOUND") {
          const notFound: TransactionStatus = (yield* lately.has(hash))
            ? { hash, status: "pending" }
            : { hash, status: "unknown", oldestLedger: answer.oldestLedger }
          return notFound
        }
        const status: TransactionStatus = {
          hash,
          status: answer.status === "SUCCESS" ? "success" : "failed",
          ...(answer.ledger === undefined ? {} : { ledger: answer.ledger }),
          ...(answer.result === undefined ? {} : { resultCode: resultCodes(answer.result).resultCode })
        }
        return status
      })

      return { submit, lookup }
    })
  ).pipe(Layer.provide(Sending.layer), Layer.provide([Landing.layer, SentLately.layer]))
}
