import { StrKey, type xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { LedgerApi } from "../chain/LedgerApi.ts"
import type { TransactionRecord } from "../chain/ledger-api/TransactionRecord.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { AccountNotFound } from "../domain/failure/Request.ts"
import { innermost, readTransaction } from "../ledger/Transaction.ts"
import { sourceOf } from "../ledger/Validity.ts"
import { fromMuxed } from "../operations/XdrAccount.ts"
import type { CloseInput } from "./CloseInput.ts"
import { succeeded } from "./ResultCodes.ts"
import { showTime } from "./ShowTime.ts"

/** A close that is over: where it ended, and the newest ledger. */
export interface Completed {
  readonly mergedIn: number
  readonly sequence: bigint
  readonly latestLedger: number
  /** ISO 8601. */
  readonly readAt: string
}

const isOf = (address: AccountAddress, id: xdr.PublicKey): boolean => StrKey.encodeEd25519PublicKey(id.ed25519.value) === address

/**
 * Where a transaction merged an account to: the destination of its merge, or of the payment behind it, where the merge went to a
 * mediator that passed the lumens on. Null when it did not merge the account.
 */
export const mergeTarget = ({ envelope, result }: TransactionRecord, address: AccountAddress): AccountAddress | null => {
  if (!succeeded(result)) return null
  const transaction = innermost(readTransaction(envelope, ""))
  const { operations } = transaction.tx
  const at = operations.findIndex((operation) => operation.body.type === "accountMerge" && isOf(address, sourceOf(operation, transaction)))
  const merge = operations[at]?.body
  if (merge?.type !== "accountMerge") return null
  const into = fromMuxed(merge.destination)
  const next = operations[at + 1]
  const passedOn = next !== undefined && into !== null && next.body.type === "payment" && isOf(into, sourceOf(next, transaction))
    && next.body.paymentOp.asset.type === "assetTypeNative"
  return passedOn && next.body.type === "payment" ? fromMuxed(next.body.paymentOp.destination) : into
}

/** Tells an account that was closed as asked from one that never was, or went elsewhere. */
export class Completion extends Context.Tag("closeout/close/Completion")<Completion, {
  /** The finished close of an account that is gone; `AccountNotFound` when its history does not show a merge into the destination. */
  readonly of: (input: CloseInput) => Effect.Effect<Completed, AccountNotFound | ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    Completion,
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const rpc = yield* ContractRpc
      return Completion.of({
        of: Effect.fn("Completion.of")(function*({ destination, source }: CloseInput) {
          const past = yield* api.newestTransactions(source)
          for (const record of past) {
            const target = mergeTarget(record, source)
            if (target === null) continue
            if (target !== destination) return yield* new AccountNotFound({ address: source, mergedInto: target })
            const { closeTime, sequence } = yield* rpc.latestLedger
            return {
              mergedIn: record.ledger,
              sequence: innermost(readTransaction(record.envelope, "")).tx.seqNum,
              latestLedger: sequence,
              readAt: showTime(closeTime)
            }
          }
          return yield* new AccountNotFound({ address: source })
        })
      })
    })
  )
}
