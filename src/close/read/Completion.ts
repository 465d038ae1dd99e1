import { Context, Effect, Fiber, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import type { TransactionRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { ClosedAccount } from "../../domain/ClosedAccount.ts"
import { AccountNotFound } from "../../domain/failure/Request.ts"
import { type LedgerApiLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { showTime } from "../../domain/Instant.ts"
import type { TransactionHash } from "../../domain/Ledger.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { MediatorSigner } from "../situation/MediatorSigner.ts"
import { closedBy, type Ending, endingOf, type Merge } from "./completion/Ending.ts"
import { newestEnding } from "./completion/EndingSearch.ts"
import { type CloseTerms, endedOtherwise, fulfils } from "./completion/RequestedEnd.ts"
import {
  type ConfirmedTransaction,
  confirmTransaction,
  goneSince,
  goneThereToo,
  type TransactionQuestion
} from "./completion/SourceComparison.ts"
import { FormerMediators } from "./FormerMediators.ts"
import { RecentTransactions } from "./RecentTransactions.ts"

/** A close that is over: where it ended, and the newest ledger. */
export interface CompletedClose {
  readonly closed: ClosedAccount
  readonly sequence: bigint
  readonly latestLedger: number
  /** ISO 8601. */
  readonly readAt: string
  /** Part of it rests on the ledger API alone: the contract RPC does not reach so far back, or its history was not read to the merge, or not all of it. */
  readonly historyOnly: boolean
}

type CompletionFailure = AccountNotFound | LedgerApiLagging | SourcesDisagree | ChainFailure

/** The merge that ended an account, and whether only the ledger API has it. */
interface AccountEnd extends Pick<ConfirmedTransaction, "historyOnly" | "newest"> {
  readonly merged: Merge
}

/** Queries the contract RPC for transactions: at once for the one that is expected, while its record is searched. */
const earlyQuestion = ({ transaction }: ContractRpc["Type"], expected: Option.Option<TransactionHash>) =>
  Effect.gen(function*() {
    if (Option.isNone(expected)) return transaction
    const early = yield* Effect.forkScoped(transaction(expected.value))
    const unlessMissing = Effect.flatMap(
      Fiber.join(early),
      (answer) => (answer.status === "NOT_FOUND" ? transaction(expected.value) : Effect.succeed(answer))
    )
    return (hash: string) => (hash === expected.value ? unlessMissing : transaction(hash))
  })

/** The end of accounts that are gone: closed as requested, ended otherwise, or never there. */
export class Completion extends Context.Tag("closeout/close/Completion")<Completion, {
  /**
   * The finished close of an account that is gone by both sources; `AccountNotFound` when it did not end as requested, with what is known
   * of its end; `LedgerApiLagging` or `SourcesDisagree` while the sources differ.
   */
  readonly of: (input: CloseInput) => Effect.Effect<CompletedClose, CompletionFailure>
}>() {
  static readonly layer = Layer.effect(
    Completion,
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const entries = yield* LedgerEntries
      const rpc = yield* ContractRpc
      const recent = yield* RecentTransactions
      const registry = yield* ExchangeRegistry
      const { passphrase } = yield* NetworkSettings
      const { mediator } = yield* MediatorSigner
      const mediators = new Set<string>([...Option.toArray(mediator).map(({ address }) => address), ...(yield* FormerMediators)])

      const asked = (input: CloseInput): CloseTerms => ({
        input,
        listing: input.destination === null ? null : Option.getOrNull(registry.lookup(input.destination)),
        mediators
      })

      const otherwise = (ending: Ending | null, address: string, hash: string): AccountNotFound =>
        ending?._tag === "Merged" ? endedOtherwise(ending, address) : new AccountNotFound({ address, hash })

      /** The end of the account by a transaction of the ledger API, confirmed by the contract RPC. */
      const confirmedEnd = (
        record: TransactionRecord,
        { source }: CloseInput,
        ask: TransactionQuestion
      ): Effect.Effect<AccountEnd, CompletionFailure> =>
        Effect.gen(function*() {
          const listed = endingOf(record, source, passphrase)
          if (listed?._tag !== "Merged") return yield* otherwise(listed, source, record.hash)
          const both = yield* confirmTransaction(ask, record, passphrase)
          const merged = endingOf(both.record, source, passphrase)
          return merged?._tag === "Merged" ? { ...both, merged } : yield* otherwise(merged, source, record.hash)
        })

      const searched = Effect.fnUntraced(function*(input: CloseInput, ask: TransactionQuestion) {
        const found = yield* newestEnding(api, input.source, passphrase, null)
        if (found.record !== null) {
          const { isWhole, record } = found
          return yield* Effect.map(confirmedEnd(record, input, ask), (one) => ({ ...one, historyOnly: one.historyOnly || !isWhole }))
        }
        return yield* new AccountNotFound({ address: input.source, ...(found.searchedTo === null ? {} : { searchedTo: found.searchedTo }) })
      })

      /** The end by the transaction named, unless a later one created the account again or ended it otherwise. */
      const named = Effect.fnUntraced(function*(input: CloseInput, hash: TransactionHash, ask: TransactionQuestion) {
        const { source } = input
        const record = yield* api.transaction(hash)
        if (Option.isNone(record)) {
          const { status } = yield* ask(hash)
          return yield* status === "NOT_FOUND" ? new AccountNotFound({ address: source, hash }) : new SourcesDisagree({ about: hash })
        }
        const found = yield* confirmedEnd(record.value, input, ask)
        const later = yield* newestEnding(api, source, passphrase, record.value)
        if (later.record !== null) return yield* otherwise(later.ending, source, later.record.hash)
        // Without a ledger API not everything that came later is seen.
        return { ...found, historyOnly: found.historyOnly || later.searchedTo !== null || api.absent !== null }
      })

      return Completion.of({
        of: Effect.fnUntraced(function*(input: CloseInput) {
          const { mergeHash, source } = input
          const since = yield* goneSince({ api, entries }, source)
          const ask = yield* earlyQuestion(rpc, mergeHash === null ? yield* recent.mergeOf(source) : Option.some(mergeHash))
          // The search for its end runs beside, and counts once both sources say that it is gone.
          const [, found] = yield* Effect.all([
            goneThereToo({ api }, source, since),
            Effect.either(mergeHash === null ? searched(input, ask) : named(input, mergeHash, ask))
          ], { concurrency: 2 })
          const { historyOnly, merged, newest } = yield* found
          if (!fulfils(merged, asked(input))) return yield* endedOtherwise(merged, source)
          return {
            closed: closedBy(merged, input.destination),
            sequence: merged.sequence,
            latestLedger: newest.ledger,
            readAt: showTime(newest.closeTime),
            historyOnly
          }
        }, Effect.scoped)
      })
    })
  )
}
