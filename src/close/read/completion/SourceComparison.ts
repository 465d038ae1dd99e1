import { Data, Effect, Option, Schedule } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../../chain/ContractRpc.ts"
import type { TransactionRecord } from "../../../chain/ledger-api/TransactionRecord.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { LedgerApiLagging, SourcesDisagree } from "../../../domain/failure/Upstream.ts"
import { accountKey } from "../../../xdr/LedgerKeys.ts"
import { hasHash } from "./Ending.ts"

/** The two sources that are compared. */
export interface CompletionSources {
  readonly api: LedgerApi["Type"]
  readonly entries: LedgerEntries["Type"]
}

/** Asks the contract RPC for a transaction (`getTransaction`). */
export type TransactionQuestion = ContractRpc["Type"]["transaction"]

/** One source may be a little later than the other: it gets this long to catch up. */
const pause = "1 second"
const catchingUp = Schedule.spaced(pause).pipe(Schedule.upTo("5 seconds"))

/**
 * The ledger in which the contract RPC does not have an account, once the ledger API has reached it too. What the ledger API returns after
 * this is no older. No source is queried again for what it already returned in this request.
 */
export const goneSince = (
  { api, entries }: CompletionSources,
  address: AccountAddress
): Effect.Effect<number, ChainFailure | LedgerApiLagging | SourcesDisagree> =>
  Effect.gen(function*() {
    const [shown] = yield* entries.answers([accountKey(address)])
    if (shown === undefined || Option.isSome(shown.live)) return yield* new SourcesDisagree({ about: address })
    const { latestLedger } = shown
    const newest = api.reachedLedger(latestLedger)
    if ((yield* newest) >= latestLedger) return latestLedger
    const reached = Effect.flatMap(newest, (sequence) =>
      sequence < latestLedger ? new LedgerApiLagging({ behind: latestLedger - sequence }) : Effect.succeed(latestLedger))
    const later = Effect.retry(reached, {
      while: ({ _tag }) =>
        _tag === "LedgerApiLagging",
      schedule: catchingUp
    })
    return yield* Effect.delay(later, pause)
  })

/** Fails unless the ledger API does not know an account that the contract RPC does not have since a ledger. */
export const goneThereToo = (
  { api }: Pick<CompletionSources, "api">,
  address: AccountAddress,
  since: number
): Effect.Effect<void, ChainFailure | LedgerApiLagging | SourcesDisagree> =>
  Effect.flatMap(
    api.account(address),
    Option.match({
      onNone: () => Effect.void,
      onSome: (listed): Effect.Effect<void, LedgerApiLagging | SourcesDisagree> => {
        const behind = since - listed.latestLedger
        return behind > 0 ? new LedgerApiLagging({ behind }) : new SourcesDisagree({ about: address })
      }
    })
  )

/** The contract RPC has not reached the ledger of a transaction. */
class LedgerNotReached extends Data.TaggedError("LedgerNotReached")<{}> {}

/** A past transaction as the contract RPC has it. */
export interface ConfirmedTransaction {
  readonly record: TransactionRecord
  /** The contract RPC does not reach so far back, or tells it in a form that this version cannot read: only the ledger API tells. */
  readonly historyOnly: boolean
  /** The newest ledger of the contract RPC, and its close time in Unix seconds. */
  readonly newest: { readonly ledger: number; readonly closeTime: bigint }
}

/** Confirms a transaction of the ledger API with the contract RPC (`getTransaction`). What that no longer has rests on the ledger API alone. */
export const confirmTransaction = (
  question: TransactionQuestion,
  record: TransactionRecord,
  passphrase: string
): Effect.Effect<ConfirmedTransaction, ChainFailure | SourcesDisagree> => {
  const disagree = new SourcesDisagree({ about: record.hash })
  const ask = Effect.gen(function*() {
    const answer = yield* question(record.hash)
    const newest = { ledger: answer.latestLedger, closeTime: answer.latestCloseTime }
    if (answer.status === "NOT_FOUND") {
      if (record.ledger > answer.latestLedger) return yield* new LedgerNotReached()
      return record.ledger < answer.oldestLedger ? { record, historyOnly: true, newest } : yield* disagree
    }
    if (answer.status !== "SUCCESS" || answer.ledger !== record.ledger) return yield* disagree
    const { createdAt: closedAt, envelope, result } = answer
    // It is there, and has an unknown arm.
    if (envelope === undefined || result === undefined) return { record: { ...record, closedAt }, historyOnly: true, newest }
    const same = hasHash(envelope, record.hash, passphrase)
    return same ? { record: { ...record, closedAt, envelope, result }, historyOnly: false, newest } : yield* disagree
  })
  return ask.pipe(
    Effect.retry({ while: ({ _tag }) => _tag === "LedgerNotReached", schedule: catchingUp }),
    Effect.catchTag("LedgerNotReached", () => disagree)
  )
}
