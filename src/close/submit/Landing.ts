import type { xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Either, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LiveEntries } from "../../chain/contract-rpc/LiveEntry.ts"
import type { TransactionAnswer } from "../../chain/contract-rpc/TransactionAnswer.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import type { TransactionRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { patiently } from "../../chain/pace/Patience.ts"
import { AccountNotFound } from "../../domain/failure/Request.ts"
import { StaleSequence, TransactionExpired, TransactionFailed } from "../../domain/failure/Submitting.ts"
import type { SubmitResult } from "../../domain/SubmitResult.ts"
import { extensionsOf } from "../../ledger/entries/Account.ts"
import { accountKey } from "../../ledger/LedgerKey.ts"
import { innermost } from "../../ledger/Transaction.ts"
import { addressOf } from "../../stellar/Names.ts"
import { hashesOf } from "../read/completion/Ending.ts"
import { resultCodes, succeeded } from "../situation/ResultCodes.ts"
import type { SubmittedEnvelope } from "../situation/SubmittedEnvelope.ts"

/** How a transaction ended, where it did not succeed. */
export type Ended = TransactionFailed | TransactionExpired

/** Between two questions about the same transaction. */
const pause = "1 second"

/** Whether no ledger after the newest one can take the transaction any more. */
const isPast = ({ maxLedger, maxTime }: SubmittedEnvelope, { latestCloseTime, latestLedger }: TransactionAnswer): boolean =>
  (maxTime !== null && latestCloseTime > maxTime) || (maxLedger !== null && latestLedger + 1 >= maxLedger)

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

/** That a transaction's sequence number is used up, or its account gone: since which ledger, and what to call it. */
interface UsedUp {
  readonly since: number
  readonly failure: StaleSequence | AccountNotFound
}

/** None while the sequence number is not used up, and where the account cannot be read. */
const usedUp = (sequence: bigint, address: string, { entries: [live], latestLedger }: LiveEntries): Option.Option<UsedUp> => {
  if (live?.entry === null) return Option.none()
  if (live?.entry.data.type !== "account") return Option.some({ since: latestLedger, failure: new AccountNotFound({ address }) })
  const { account } = live.entry.data
  if (account.seqNum < sequence) return Option.none()
  return Option.some({
    since: extensionsOf(account).sequence?.seqLedger ?? latestLedger,
    failure: new StaleSequence({ expected: (account.seqNum + 1n).toString() })
  })
}

/** What became of a transaction, asked by its hash. */
export class Landing extends Context.Tag("closeout/close/Landing")<Landing, {
  /** The outcome on the ledger; none while the network does not know the transaction and it may still come, or does not answer now. */
  readonly glance: (submitted: SubmittedEnvelope) => Effect.Effect<Option.Option<SubmitResult>, Ended>
  /** The failure, unless one look shows that the transaction is on the ledger. */
  readonly unlessThere: <E>(submitted: SubmittedEnvelope, failure: E) => Effect.Effect<SubmitResult, E | Ended | ChainFailure>
  /**
   * For a sequence number that is used up, or an account that is gone: whether it was this transaction that did it. Both sources are
   * asked by its hash until one has it, or until the contract RPC's history has reached the ledger in which that happened and does not
   * have it. The caller bounds how long.
   */
  readonly usedUp: (submitted: SubmittedEnvelope) => Effect.Effect<SubmitResult, StaleSequence | AccountNotFound | Ended>
  /**
   * Waits until the transaction is on the ledger, or can no longer come. Where the contract RPC has reached the ledger `until` and does
   * not have it, that is left, with the ledger reached. The caller bounds how long.
   */
  readonly awaited: (submitted: SubmittedEnvelope, until: number) => Effect.Effect<Either.Either<SubmitResult, number>, Ended>
}>() {
  static readonly layer = Layer.effect(
    Landing,
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const rpc = yield* ContractRpc
      const { passphrase } = yield* NetworkSettings

      /** What the ledger API has under the hash; none when it has nothing, does not answer, or tells of another envelope. */
      const told = (submitted: SubmittedEnvelope): Effect.Effect<Option.Option<TransactionRecord>> =>
        api.transaction(submitted.hash).pipe(
          Effect.orElseSucceed(() => Option.none<TransactionRecord>()),
          Effect.map(Option.filter(({ envelope }) => hashesOf(envelope, passphrase).includes(submitted.hash)))
        )

      const toldOr = <E>(submitted: SubmittedEnvelope, otherwise: Effect.Effect<Option.Option<SubmitResult>, E>) =>
        Effect.flatMap(
          told(submitted),
          Option.match({
            onNone: (): Effect.Effect<Option.Option<SubmitResult>, E | TransactionFailed> => otherwise,
            onSome: ({ ledger, result }) => Effect.asSome(onLedger(submitted, ledger, succeeded(result), result))
          })
        )

      const settled = (submitted: SubmittedEnvelope, answer: TransactionAnswer): Effect.Effect<Option.Option<SubmitResult>, Ended> => {
        if (answer.status !== "NOT_FOUND") {
          return Effect.asSome(onLedger(submitted, answer.ledger ?? 0, answer.status === "SUCCESS", answer.result))
        }
        // The contract RPC forgets; what was applied long ago is not expired.
        return isPast(submitted, answer) ? toldOr(submitted, Effect.fail(new TransactionExpired())) : Effect.succeedNone
      }

      const look = (submitted: SubmittedEnvelope) => Effect.flatMap(rpc.transaction(submitted.hash), (answer) => settled(submitted, answer))

      const glance = (submitted: SubmittedEnvelope) =>
        Effect.flatMap(
          Effect.option(rpc.transaction(submitted.hash)),
          Option.match({ onNone: () => Effect.succeedNone, onSome: (answer) => settled(submitted, answer) })
        )

      /** Asks again and again: each time as if it were the first. */
      const untilThere = <A, E>(asked: Effect.Effect<Option.Option<A>, E>): Effect.Effect<A, E> =>
        Effect.flatMap(
          patiently(asked),
          Option.match({
            onNone: () => Effect.zipRight(Effect.sleep(pause), Effect.suspend(() => untilThere(asked))),
            onSome: Effect.succeed
          })
        )

      /** What is known of the account: none as well when nobody answers. */
      const usedUpOn = ({ sequence, transaction }: SubmittedEnvelope) => {
        const address = addressOf(innermost(transaction).source)
        return Effect.orElseSucceed(
          Effect.map(rpc.ledgerEntries([accountKey(address)]), (live) => usedUp(sequence, address, live)),
          () => Option.none<UsedUp>()
        )
      }

      return Landing.of({
        glance,
        unlessThere: (submitted, failure) =>
          Effect.flatMap(look(submitted), Option.match({ onNone: () => Effect.fail(failure), onSome: Effect.succeed })),
        usedUp: (submitted) =>
          untilThere(Effect.gen(function*() {
            const found = Option.getOrNull(yield* usedUpOn(submitted))
            const answer = Option.getOrNull(yield* Effect.option(rpc.transaction(submitted.hash)))
            const known = answer === null ? Option.none() : yield* settled(submitted, answer)
            if (Option.isSome(known)) return known
            const byAnother = found !== null && answer !== null && answer.latestLedger >= found.since
            return yield* toldOr(submitted, byAnother ? Effect.fail(found.failure) : Effect.succeedNone)
          })),
        awaited: (submitted, until) =>
          untilThere(Effect.flatMap(
            Effect.option(rpc.transaction(submitted.hash)),
            Option.match({
              onNone: () => Effect.succeedNone,
              onSome: (answer) =>
                Effect.map(
                  settled(submitted, answer),
                  Option.match({
                    onNone: () => (answer.latestLedger >= until ? Option.some(Either.left(answer.latestLedger)) : Option.none()),
                    onSome: (there) => Option.some(Either.right(there))
                  })
                )
            })
          ))
      })
    })
  )
}
