import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Effect, Layer, Option, Schedule } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { tolerableLag } from "../../chain/CloseInterval.ts"
import type { LatestLedger } from "../../chain/contract-rpc/LatestLedger.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { type AccountStatement, isContradicted, isOutvoted, statementOf } from "../../chain/witness/AccountStatement.ts"
import { type EndpointAnswer, laterAnswer, NewestEntries } from "../../chain/witness/NewestEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { ContractRpcLagging, LedgerApiLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { addressOf } from "../../stellar/Names.ts"
import { accountKey, distinctKeys } from "../../xdr/LedgerKeys.ts"
import { type HeaderDoubt, HeaderRule } from "../situation/HeaderRule.ts"
import { type AccountFacts, type Disagreement, disagreement, factsOf, isBackedBy, type ListedAccount } from "./AccountAgreement.ts"

/** Ledger entries of the one endpoint that is believed. A key without an entry is left out. */
export interface BelievedEntries {
  readonly header: LatestLedger
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** The closing account's own entry; null when it is gone. */
  readonly closer: xdr.AccountEntry | null
  readonly statement: AccountStatement
}

export type AgreementFailure = Disagreement | HeaderDoubt | ChainFailure

interface EndpointEntry extends EndpointAnswer {
  readonly entry: xdr.LedgerEntry | null
  readonly statement: AccountStatement
}

/** An endpoint's answer, and what it says of one account. */
const about = (address: AccountAddress) => (answer: EndpointAnswer): EndpointEntry => {
  const entry = answer.entries.find(({ data }) => data.type === "account" && addressOf(data.account.accountId) === address) ?? null
  return { ...answer, entry, statement: statementOf(answer.origin, answer.readAt, entry) }
}

const accountIn = ({ entry }: EndpointEntry): xdr.AccountEntry | null => (entry?.data.type === "account" ? entry.data.account : null)

const factsIn = (told: EndpointEntry): AccountFacts | null => {
  const account = accountIn(told)
  return account === null ? null : factsOf(account)
}

/** Whether an endpoint has reached what the ledger API knows of the account. */
const reaches = ({ ledger, record }: ListedAccount) => (told: EndpointEntry): boolean =>
  told.ledger >= ledger && (told.entry === null || told.entry.lastModifiedLedgerSeq >= (record?.lastModifiedLedger ?? 0))

/** What keeps an endpoint from being believed beside the ledger API; null: nothing. */
const doubtAbout = (listed: ListedAccount, told: EndpointEntry, tolerable: number): Disagreement | null => {
  const account = accountIn(told)
  if (account !== null) {
    return disagreement(listed, { account, modified: told.statement.from, ledger: told.ledger }, { strict: true, tolerable })
  }
  return listed.record !== null && listed.ledger >= told.readAt ? new SourcesDisagree({ about: "account" }) : null
}

/** Whether a lag is so small that the next ledgers cure it. */
const isCatchingUp = (tolerable: number) => (failure: AgreementFailure): boolean =>
  (failure._tag === "ContractRpcLagging" || failure._tag === "LedgerApiLagging") && failure.behind !== null && failure.behind > 0 &&
  failure.behind <= tolerable

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
          const judged = yield* Effect.forEach(all, (told) => Effect.map(rule.doubt(told.header.closeTime), (doubt) => ({ told, doubt })))
          const fine = judged.filter(({ doubt }) => doubt === null).map(({ told }) => told)
          const [first, ...others] = judged
          if (fine.length > 0 || first === undefined) return fine
          const { doubt } = others.reduce((a, b) => (b.told.ledger > a.told.ledger ? b : a), first)
          return doubt === null ? fine : yield* doubt
        })

      const pick = (
        listed: ListedAccount,
        answers: ReadonlyArray<EndpointEntry>,
        heard: ReadonlyArray<AccountStatement>,
        tolerable: number
      ): EndpointEntry | Disagreement => {
        const hearing = { all: heard, current: answers.map(({ statement }) => statement) }
        const trusted = answers.filter(({ origin }) => !isOutvoted(origin, hearing))
        if (answers.length > 0 && trusted.length === 0) return new SourcesDisagree({ about: "account" })
        const fitting = trusted.filter(reaches(listed))
        if (!Arr.isNonEmptyReadonlyArray(fitting)) {
          const furthest = trusted.length === 0 ? null : Math.max(...trusted.map(({ ledger }) => ledger))
          return new ContractRpcLagging({ behind: furthest === null ? null : Math.max(listed.ledger - furthest, 0), ageSeconds: null })
        }
        const told = fitting.reduce(laterAnswer)
        if (isContradicted(told.origin, { all: heard, current: trusted.map(({ statement }) => statement) })) {
          return new SourcesDisagree({ about: "account" })
        }
        const doubt = doubtAbout(listed, told, tolerable)
        if (doubt !== null) return doubt
        const facts = factsIn(told)
        const isBacked = isBackedBy(facts, listed.record) ||
          trusted.some((other) => other.origin !== told.origin && isBackedBy(facts, factsIn(other)))
        return isBacked ? told : new LedgerApiLagging({ behind: Math.max(told.statement.from - listed.ledger, 1) })
      }

      const believed = Effect.fnUntraced(function*(closer: AccountAddress, keys: ReadonlyArray<xdr.LedgerKey>) {
        const tolerable = tolerableLag(yield* rpc.closeInterval)
        const asked = distinctKeys([accountKey(closer), ...keys])
        // A liar that always claims a newer ledger is caught by what it said before.
        const heard: Array<AccountStatement> = []
        const ask = Effect.gen(function*() {
          const listed = yield* listedAccount(closer)
          const answers = yield* plausible((yield* newest.all(asked)).map(about(closer)))
          heard.push(...answers.map(({ statement }) => statement))
          const picked = pick(listed, answers, heard, tolerable)
          return "_tag" in picked ? yield* picked : picked
        })
        const told = yield* Effect.retry(ask, { while: isCatchingUp(tolerable), schedule: againAfter })
        return { header: told.header, entries: told.entries, closer: accountIn(told), statement: told.statement }
      })
      return { believed }
    })
  )
}
