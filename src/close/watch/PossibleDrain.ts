import { Effect } from "effect"
import { pageSize } from "../../chain/ledger-api/Page.ts"
import type { TransactionRecord, UnreadableRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import { innermost, isSoroban, readTransaction } from "../../ledger/Transaction.ts"
import { addressOf } from "../../stellar/Names.ts"
import { actorOf, closerOf } from "../mediator/MediatedEnvelope.ts"
import { succeeded } from "../situation/ResultCodes.ts"

/** What a transaction that concerned an account may have done to its lumens, or that it used up a sequence number of it. */
const effectOf = (record: TransactionRecord | UnreadableRecord, account: AccountAddress, passphrase: string): "own" | "takes" | "none" => {
  if (record.envelope === null) return "takes"
  const read = readTransaction(record.envelope, passphrase)
  const transaction = innermost(read)
  if (closerOf(transaction) === account) return "own"
  if (read._tag === "FeeBumpTransaction" && addressOf(read.feeSource) === account) return "takes"
  // A contract may spend an allowance without a signature of the account.
  const acts = isSoroban(transaction.tx) || transaction.tx.operations.some((operation) => actorOf(operation, transaction) === account)
  return acts && succeeded(record.result) ? "takes" : "none"
}

/** What concerned an account before its close, the newest first, and whether that is all of it. */
export interface EarlierTransactions {
  readonly records: ReadonlyArray<TransactionRecord | UnreadableRecord>
  readonly complete: boolean
}

/**
 * Whether an account may have held more after its sequence number last changed than it delivered. The mediator signs only for the next sequence
 * number, and for no more than the account holds. Where nothing took from the account since, the service did not sign.
 */
export const mayHaveHeldMore = ({ complete, records }: EarlierTransactions, account: AccountAddress, passphrase: string): boolean => {
  for (const record of records) {
    const effect = effectOf(record, account, passphrase)
    if (effect !== "none") return effect === "takes"
  }
  return !complete
}

/**
 * Reads whether an account may have been drained between the mediator's signature and its close (`/accounts/{id}/transactions`). One with more
 * than 199 later transactions may: strangers choose how many there are.
 */
export const possibleDrain = Effect.gen(function*() {
  const api = yield* LedgerApi
  const { passphrase } = yield* NetworkSettings
  return Effect.fnUntraced(function*(account: AccountAddress, close: TransactionRecord | UnreadableRecord) {
    const { complete, records } = yield* api.laterTransactions(account, 0n, { before: close.pagingToken + 1n, limit: pageSize })
    const [last, ...earlier] = records
    // An endpoint that is behind would hide the drain.
    if (last?.hash !== close.hash) return yield* new UpstreamUnusable({ source: "ledger_api" })
    return mayHaveHeldMore({ complete, records: earlier }, account, passphrase)
  })
})
