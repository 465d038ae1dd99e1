import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { type AccountStatement, isContradicted, isOutvoted, statementOf } from "../../chain/witness/AccountStatement.ts"
import { type EndpointAnswer, laterAnswer } from "../../chain/witness/NewestEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { ContractRpcLagging, LedgerApiLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { addressOf } from "../../stellar/Names.ts"
import type { HeaderDoubt } from "../situation/HeaderRule.ts"
import { type AccountFacts, type Disagreement, disagreement, factsOf, isBackedBy, type ListedAccount } from "./AccountAgreement.ts"

/** An answer of an endpoint, and what it says of one account. */
export interface EndpointEntry extends EndpointAnswer {
  readonly entry: xdr.LedgerEntry | null
  readonly statement: AccountStatement
}

/** What an answer of an endpoint says of one account. */
export const about = (address: AccountAddress) => (answer: EndpointAnswer): EndpointEntry => {
  const entry = answer.entries.find(({ data }) => data.type === "account" && addressOf(data.account.accountId) === address) ?? null
  return { ...answer, entry, statement: statementOf(answer.origin, answer.readAt, entry) }
}

/** The account of an answer; null: it shows none. */
export const accountIn = ({ entry }: EndpointEntry): xdr.AccountEntry | null => (entry?.data.type === "account" ? entry.data.account : null)

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

/**
 * The answer that is believed of an account whose lumens the mediator will pass on, or why none is.
 *
 * An endpoint that most origins contradict is left out, and one that has not reached what the ledger API shows. Of the others the newest
 * counts, if nothing contradicts it and the ledger API or another origin shows the same account. `heard`: what was said of the account by
 * these answers and those before them. `tolerable`: ledgers that one source may be behind the other.
 */
export const believedAnswer = (
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

/** Whether a lag is so small that the next ledgers cure it. */
export const isCatchingUp = (tolerable: number) => (failure: Disagreement | HeaderDoubt | ChainFailure): boolean =>
  (failure._tag === "ContractRpcLagging" || failure._tag === "LedgerApiLagging") && failure.behind !== null && failure.behind > 0 &&
  failure.behind <= tolerable
