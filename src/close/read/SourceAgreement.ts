import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Effect, Layer, Option, Schedule } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { tolerableLag } from "../../chain/CloseInterval.ts"
import type { LatestLedger } from "../../chain/contract-rpc/LatestLedger.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { type EndpointAnswer, NewestEntries } from "../../chain/witness/NewestEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { ContractRpcLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { addressOf } from "../../stellar/Names.ts"
import { accountKey, distinctKeys } from "../../xdr/LedgerKeys.ts"
import { type HeaderDoubt, HeaderRule } from "../situation/HeaderRule.ts"
import { type Disagreement, disagreement, type ListedAccount } from "./AccountAgreement.ts"

/** Ledger entries of the one endpoint that is believed. A key without an entry is left out. */
export interface BelievedEntries {
  readonly header: LatestLedger
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** The closing account's own entry; null when it is gone. */
  readonly closer: xdr.AccountEntry | null
}

export type AgreementFailure = Disagreement | HeaderDoubt | ChainFailure

interface EndpointEntry extends EndpointAnswer {
  readonly entry: xdr.LedgerEntry | null
}

const entryOf = (entries: ReadonlyArray<xdr.LedgerEntry>, address: AccountAddress): xdr.LedgerEntry | null =>
  entries.find(({ data }) => data.type === "account" && addressOf(data.account.accountId) === address) ?? null

const accountIn = ({ entry }: EndpointEntry): xdr.AccountEntry | null => (entry?.data.type === "account" ? entry.data.account : null)

const newer = (a: EndpointEntry, b: EndpointEntry): EndpointEntry => (b.ledger > a.ledger ? b : a)

/** Whether an endpoint has reached what the ledger API knows of the account. */
const reaches = ({ ledger, record }: ListedAccount) => (told: EndpointEntry): boolean =>
  told.ledger >= ledger && (told.entry === null || told.entry.lastModifiedLedgerSeq >= (record?.lastModifiedLedger ?? 0))

/** Whether what another endpoint says cannot be true together with what this one says. Being older is no contradiction. */
const contradicts = (believed: EndpointEntry) => (other: EndpointEntry): boolean => {
  if (other.entry === null || other.entry.lastModifiedLedgerSeq > believed.ledger || believed.entry === null) return false
  const [seen, shown] = [other.entry.lastModifiedLedgerSeq, believed.entry.lastModifiedLedgerSeq]
  return seen > shown || (seen === shown && other.entry.toXdr("base64") !== believed.entry.toXdr("base64"))
}

/** Whether a lag is so small that the next ledgers cure it. */
const isCatchingUp = (tolerable: number) => (failure: AgreementFailure): boolean =>
  failure._tag === "ContractRpcLagging" && failure.behind !== null && failure.behind > 0 && failure.behind <= tolerable

const againAfter = Schedule.spaced("1 second").pipe(Schedule.intersect(Schedule.recurs(4)))

/** Decides which source is believed about an account whose lumens the mediator will pass on: there a ledger too old costs money. */
export class SourceAgreement extends Context.Tag("closeout/close/SourceAgreement")<SourceAgreement, {
  /**
   * The entries of a closing account (and other keys) at the endpoint that is ahead, once it was compared with the ledger API. Every
   * endpoint of the contract RPC is queried. An endpoint that is silent or in doubt is left out. One that has not reached what the ledger
   * API shows is not believed. Of several, the newest counts.
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
          const judged = yield* Effect.forEach(all, (told) => Effect.map(rule.doubt(told.header.closeTime), (doubt) => ({ told, doubt })))
          const fine = judged.filter(({ doubt }) => doubt === null).map(({ told }) => told)
          const [first, ...others] = judged
          if (fine.length > 0 || first === undefined) return fine
          const { doubt } = others.reduce((a, b) => (b.told.ledger > a.told.ledger ? b : a), first)
          return doubt === null ? fine : yield* doubt
        })

      const pick = (listed: ListedAccount, all: ReadonlyArray<EndpointEntry>, tolerable: number): EndpointEntry | Disagreement => {
        const fitting = all.filter(reaches(listed))
        if (!Arr.isNonEmptyReadonlyArray(fitting)) {
          const furthest = all.length === 0 ? null : Math.max(...all.map(({ ledger }) => ledger))
          return new ContractRpcLagging({ behind: furthest === null ? null : Math.max(listed.ledger - furthest, 0), ageSeconds: null })
        }
        const told = fitting.reduce(newer)
        if (all.some(contradicts(told))) return new SourcesDisagree({ about: "account" })
        const account = accountIn(told)
        if (account === null || told.entry === null) return told
        return disagreement(listed, { account, modified: told.entry.lastModifiedLedgerSeq, ledger: told.ledger }, {
          strict: true,
          tolerable
        }) ?? told
      }

      const believed = Effect.fnUntraced(function*(closer: AccountAddress, keys: ReadonlyArray<xdr.LedgerKey>) {
        const listed = yield* listedAccount(closer)
        const tolerable = tolerableLag(yield* rpc.closeInterval)
        const asked = distinctKeys([accountKey(closer), ...keys])
        const ask = Effect.gen(function*() {
          const answers = yield* newest.all(asked)
          const picked = pick(
            listed,
            yield* plausible(answers.map((answer) => ({ ...answer, entry: entryOf(answer.entries, closer) }))),
            tolerable
          )
          return "_tag" in picked ? yield* picked : picked
        })
        const told = yield* Effect.retry(ask, { while: isCatchingUp(tolerable), schedule: againAfter })
        return { header: told.header, entries: told.entries, closer: accountIn(told) }
      })
      return { believed }
    })
  )
}
