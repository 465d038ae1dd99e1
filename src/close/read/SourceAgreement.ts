import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Effect, Layer, Option, Schedule } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { tolerableLag } from "../../chain/CloseInterval.ts"
import type { LatestLedger } from "../../chain/contract-rpc/LatestLedger.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import type { AccountStatement } from "../../chain/witness/AccountStatement.ts"
import { laterAnswer, NewestEntries } from "../../chain/witness/NewestEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { accountKey, distinctKeys } from "../../xdr/LedgerKeys.ts"
import { type HeaderDoubt, HeaderRule } from "../situation/HeaderRule.ts"
import type { Disagreement, ListedAccount } from "./AccountAgreement.ts"
import { about, accountIn, believedAnswer, type EndpointEntry, isCatchingUp } from "./EndpointChoice.ts"

/** Ledger entries of the one endpoint that is believed. A key without an entry is left out. */
export interface BelievedEntries {
  readonly header: LatestLedger
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** The closing account's own entry; null when it is gone. */
  readonly closer: xdr.AccountEntry | null
  readonly statement: AccountStatement
}

export type AgreementFailure = Disagreement | HeaderDoubt | ChainFailure

const againAfter = Schedule.spaced("1 second").pipe(Schedule.intersect(Schedule.recurs(4)))

/** Decides which source is believed about an account whose lumens the mediator will pass on: there a ledger too old costs money. */
export class SourceAgreement extends Context.Tag("closeout/close/SourceAgreement")<SourceAgreement, {
  /**
   * The entries of a closing account (and other keys) at the endpoint that is ahead. Every endpoint of the contract RPC is queried. One that
   * is silent or in doubt is left out, and one that most origins contradict. One that has not reached what the ledger API shows is not
   * believed. Of several, the newest counts, once the ledger API or another origin shows the same account.
   */
  readonly believed: (closer: AccountAddress, keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<BelievedEntries, AgreementFailure>
}>() {
  static readonly layer = Layer.effect(
    SourceAgreement,
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const rpc = yield* ContractRpc
      const newest = yield* NewestEntries
      const rule = yield* HeaderRule

      const listedAccount = (address: AccountAddress): Effect.Effect<ListedAccount, ChainFailure> =>
        Effect.gen(function*() {
          const record = Option.getOrNull(yield* api.account(address))
          return { record, ledger: record?.latestLedger ?? (yield* api.latestLedger).sequence }
        })

      /** Those whose header the clock allows; without one, the doubt about the newest. */
      const plausible = (all: ReadonlyArray<EndpointEntry>): Effect.Effect<ReadonlyArray<EndpointEntry>, HeaderDoubt> =>
        Effect.gen(function*() {
          const [doubtful, fine] = yield* Effect.partition(all, (told) =>
            Effect.flatMap(
              rule.doubt(told.header.closeTime),
              (doubt) => (doubt === null ? Effect.succeed(told) : Effect.fail({ ledger: told.ledger, doubt }))
            ))
          return fine.length > 0 || !Arr.isNonEmptyReadonlyArray(doubtful) ? fine : yield* doubtful.reduce(laterAnswer).doubt
        })

      const believed = Effect.fnUntraced(function*(closer: AccountAddress, keys: ReadonlyArray<xdr.LedgerKey>) {
        const tolerable = tolerableLag(yield* rpc.closeInterval)
        const asked = distinctKeys([accountKey(closer), ...keys])
        // A liar that always claims a newer ledger is caught by what it said before.
        const heard: Array<AccountStatement> = []
        const ask = Effect.gen(function*() {
          const listed = yield* listedAccount(closer)
          const answers = yield* plausible((yield* newest.all(asked)).map(about(closer)))
          heard.push(...answers.map(({ statement }) => statement))
          const picked = believedAnswer(listed, answers, heard, tolerable)
          return "_tag" in picked ? yield* picked : picked
        })
        const told = yield* Effect.retry(ask, { while: isCatchingUp(tolerable), schedule: againAfter })
        return { header: told.header, entries: told.entries, closer: accountIn(told), statement: told.statement }
      })
      return { believed }
    })
  )
}
