import type { xdr } from "@stellar/stellar-sdk"
import { Clock, Context, Effect, Either, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { type CloseInterval, ledgersWithin, pauseForNext } from "../../chain/CloseInterval.ts"
import { allReadable } from "../../chain/contract-rpc/LiveEntry.ts"
import type { TransactionAnswer } from "../../chain/contract-rpc/TransactionAnswer.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { withPatience } from "../../chain/pace/Patience.ts"
import { AccountNotFound } from "../../domain/failure/Request.ts"
import { StaleSequence, TransactionExpired, TransactionFailed } from "../../domain/failure/Submitting.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import type { TransactionHash } from "../../domain/Ledger.ts"
import type { SubmitResult } from "../../domain/SubmitResult.ts"
import { extensionsOf } from "../../ledger/entries/Account.ts"
import { innermost } from "../../ledger/Transaction.ts"
import { addressOf } from "../../stellar/Names.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { hasHash } from "../read/completion/Ending.ts"
import { longestValidity } from "../situation/CloseInput.ts"
import { resultCodes, succeeded } from "../situation/ResultCodes.ts"
import type { SubmittedEnvelope } from "../situation/SubmittedEnvelope.ts"

/** Why a transaction did not succeed, or can no longer come. */
export type OutcomeFailure = TransactionFailed | TransactionExpired

/** Whether no ledger after the newest one can take the transaction any more. */
const isPast = ({ maxLedger, maxTime }: SubmittedEnvelope, { latestCloseTime, latestLedger }: TransactionAnswer): boolean =>
  (maxTime !== null && latestCloseTime > maxTime) || (maxLedger !== null && latestLedger + 1 >= maxLedger)

/** No transaction is in an earlier ledger. */
const firstLedger = 2

/**
 * Whether a transaction may be in a ledger that the contract RPC no longer has. One that the service built is valid for a day at most; one
 * without a ledger bound may be of any age.
 */
const mayBeForgotten = ({ maxLedger }: SubmittedEnvelope, { oldestLedger }: TransactionAnswer, interval: CloseInterval): boolean =>
  oldestLedger > Math.max(firstLedger, maxLedger === null ? 0 : maxLedger - ledgersWithin(longestValidity, interval))

const onLedger = (
  { hash }: SubmittedEnvelope,
  ledger: number,
  success: boolean,
  result: xdr.TransactionResult | undefined
): Effect.Effect<SubmitResult, TransactionFailed> => {
  if (success) return Effect.succeed({ status: "success", hash, ledger })
  const codes = result === undefined ? { resultCode: "tx_failed", operationResultCodes: [] } : resultCodes(result)
  return Effect.fail(new TransactionFailed({ hash, ledger, ...codes }))
}

/** Why a transaction's sequence number can no longer be used, and since which ledger. */
interface UsedSequence {
  readonly since: number
  readonly failure: StaleSequence | AccountNotFound
}

/** None while the sequence number is not used up. `entry`: the account's; undefined where there is none in `ledger`. */
const usedSequence = (
  sequence: bigint,
  address: string,
  entry: xdr.LedgerEntry | undefined,
  ledger: number
): Option.Option<UsedSequence> => {
  if (entry?.data.type !== "account") return Option.some({ since: ledger, failure: new AccountNotFound({ address }) })
  const { account } = entry.data
  if (account.seqNum < sequence) return Option.none()
  return Option.some({
    since: extensionsOf(account).sequence?.seqLedger ?? ledger,
    failure: new StaleSequence({ expected: (account.seqNum + 1n).toString() })
  })
}

/** One question about a transaction: what the contract RPC answered, null where it did not; and what that came to. */
interface Look<A> {
  readonly answer: TransactionAnswer | null
  readonly found: Option.Option<A>
}

/** What the contract RPC says of a hash, unless the envelope that it shows has another one. */
const answersOf =
  ({ transaction }: Pick<ContractRpc["Type"], "transaction">, passphrase: string) =>
  (hash: TransactionHash): Effect.Effect<TransactionAnswer, ChainFailure> =>
    Effect.filterOrFail(
      transaction(hash),
      (answer) => answer.status === "NOT_FOUND" || answer.envelope === undefined || hasHash(answer.envelope, hash, passphrase),
      () => new UpstreamUnusable({ source: "contract_rpc" })
    )

/** What the ledger API has of a transaction that the contract RPC does not show, or else the failure. */
const recordedOrFailure = (
  { transaction }: Pick<LedgerApi["Type"], "transaction">,
  { closeInterval }: Pick<ContractRpc["Type"], "closeInterval">,
  passphrase: string
) =>
<E>(
  submitted: SubmittedEnvelope,
  answer: TransactionAnswer | null,
  failure: E | null
): Effect.Effect<Option.Option<SubmitResult>, E | TransactionFailed> =>
  Effect.gen(function*() {
    const listed = yield* Effect.either(transaction(submitted.hash))
    const record = Option.getOrNull(Option.flatten(Either.getRight(listed)))
    if (record !== null && hasHash(record.envelope, submitted.hash, passphrase)) {
      return Option.some(yield* onLedger(submitted, record.ledger, succeeded(record.result), record.result))
    }
    if (answer === null || failure === null) return Option.none()
    // Where one source may have forgotten it and the other fails, it may have been applied.
    const isOpen = Either.isLeft(listed) && mayBeForgotten(submitted, answer, yield* closeInterval)
    return isOpen ? Option.none() : yield* Effect.fail(failure)
  })

/** Outcomes of transactions, queried by hash. */
export class TransactionOutcomes extends Context.Tag("closeout/close/TransactionOutcomes")<TransactionOutcomes, {
  /**
   * What the contract RPC knows of a transaction (`getTransaction`). Fails with `UpstreamUnusable` where the envelope that it shows has
   * another hash.
   */
  readonly answer: (hash: TransactionHash) => Effect.Effect<TransactionAnswer, ChainFailure>
  /**
   * The outcome on the ledger; none while the network does not know the transaction and it may still come, or does not answer now, or may
   * have forgotten it.
   */
  readonly find: (submitted: SubmittedEnvelope) => Effect.Effect<Option.Option<SubmitResult>, OutcomeFailure>
  /** The failure, unless one query finds the transaction on the ledger. */
  readonly orFailure: <E>(submitted: SubmittedEnvelope, failure: E) => Effect.Effect<SubmitResult, E | OutcomeFailure | ChainFailure>
  /**
   * For a used sequence number, or an account that is gone: whether this transaction was the cause. Both sources are queried by its hash
   * until one has it, or until the contract RPC's history has reached the ledger of that change without it. The caller bounds how long.
   */
  readonly ofUsedSequence: (submitted: SubmittedEnvelope) => Effect.Effect<SubmitResult, StaleSequence | AccountNotFound | OutcomeFailure>
  /**
   * Waits until the transaction is on the ledger, or can no longer come. Where the contract RPC has reached the ledger `until` and does
   * not have it, that is left, with the ledger reached. The caller bounds how long.
   */
  readonly wait: (submitted: SubmittedEnvelope, until: number) => Effect.Effect<Either.Either<SubmitResult, number>, OutcomeFailure>
}>() {
  static readonly layer = Layer.effect(
    TransactionOutcomes,
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const rpc = yield* ContractRpc
      const { passphrase } = yield* NetworkSettings

      const answerOf = answersOf(rpc, passphrase)
      const recordedOr = recordedOrFailure(api, rpc, passphrase)

      const settled = (
        submitted: SubmittedEnvelope,
        answer: TransactionAnswer
      ): Effect.Effect<Option.Option<SubmitResult>, OutcomeFailure> => {
        if (answer.status !== "NOT_FOUND") {
          return Effect.asSome(onLedger(submitted, answer.ledger, answer.status === "SUCCESS", answer.result))
        }
        // The contract RPC forgets; what was applied long ago is not expired.
        return isPast(submitted, answer) ? recordedOr(submitted, answer, new TransactionExpired()) : Effect.succeedNone
      }

      const look = (submitted: SubmittedEnvelope) => Effect.flatMap(answerOf(submitted.hash), (answer) => settled(submitted, answer))

      const find = (submitted: SubmittedEnvelope) =>
        Effect.flatMap(
          Effect.option(answerOf(submitted.hash)),
          Option.match({ onNone: () => Effect.succeedNone, onSome: (answer) => settled(submitted, answer) })
        )

      /** Until the next ledger may hold the transaction: it was not in the one that the contract RPC answered of, if it answered. */
      const pauseAfter = (answer: TransactionAnswer | null): Effect.Effect<void> =>
        Effect.flatMap(
          Effect.zip(rpc.closeInterval, Clock.currentTimeMillis),
          ([interval, now]) => Effect.sleep(pauseForNext(answer?.latestCloseTime ?? null, interval, now))
        )

      /** Looks until something is found, each time with the whole patience of a first question. */
      const untilFound = <A, E>(query: Effect.Effect<Look<A>, E>): Effect.Effect<A, E> =>
        Effect.flatMap(withPatience(query), ({ answer, found }) =>
          Option.match(found, {
            onNone: () => Effect.zipRight(pauseAfter(answer), Effect.suspend(() => untilFound(query))),
            onSome: Effect.succeed
          }))

      /** Why its sequence number is used up; none where it is not, and where no source answers. */
      const usedSequenceOn = ({ sequence, transaction }: SubmittedEnvelope): Effect.Effect<Option.Option<UsedSequence>> => {
        const address = addressOf(innermost(transaction).source)
        return rpc.ledgerEntries([accountKey(address)]).pipe(
          Effect.flatMap(({ entries, latestLedger }) =>
            Effect.map(allReadable(entries), ([entry]) => usedSequence(sequence, address, entry, latestLedger))
          ),
          Effect.orElseSucceed(() => Option.none())
        )
      }

      return TransactionOutcomes.of({
        answer: answerOf,
        find,
        orFailure: (submitted, failure) =>
          Effect.flatMap(look(submitted), Option.match({ onNone: () => Effect.fail(failure), onSome: Effect.succeed })),
        ofUsedSequence: (submitted) =>
          untilFound(Effect.gen(function*() {
            const used = Option.getOrNull(yield* usedSequenceOn(submitted))
            const answer = Option.getOrNull(yield* Effect.option(answerOf(submitted.hash)))
            const known = answer === null ? Option.none() : yield* settled(submitted, answer)
            if (Option.isSome(known)) return { answer, found: known }
            const byAnother = used !== null && answer !== null && answer.latestLedger >= used.since
            return { answer, found: yield* recordedOr(submitted, answer, byAnother ? used.failure : null) }
          })),
        wait: (submitted, until) =>
          untilFound(Effect.gen(function*() {
            const answer = Option.getOrNull(yield* Effect.option(answerOf(submitted.hash)))
            if (answer === null) return { answer, found: Option.none() }
            const there = Option.map(yield* settled(submitted, answer), Either.right)
            return {
              answer,
              found: answer.latestLedger >= until ? Option.orElseSome(there, () => Either.left(answer.latestLedger)) : there
            }
          }))
      })
    })
  )
}
