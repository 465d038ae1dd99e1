import type { xdr } from "@stellar/stellar-sdk"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import type { AccountRecord } from "../../chain/ledger-api/AccountRecord.ts"
import { ContractRpcLagging, LedgerApiLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { extensionsOf } from "../../ledger/entries/Account.ts"
import { sponsorshipsOf } from "../../stellar/Entries.ts"
import { isResidue } from "../situation/ResidueLimit.ts"

/** Why an account is not merged on what the two sources say of it. */
export type Disagreement = LedgerApiLagging | ContractRpcLagging | SourcesDisagree

/** An account as the ledger API lists it, and the newest ledger it had seen; null: it knows no such account. */
export interface ListedAccount {
  readonly record: AccountRecord | null
  readonly ledger: number
}

/** How strictly the two sources are compared with each other. */
export interface Strictness {
  /** Ledgers that one may be behind the other. */
  readonly tolerable: number
  /** Whether every stroop counts. */
  readonly strict: boolean
}

/** An account as the contract RPC has it. */
export interface ConfirmedAccount {
  readonly account: xdr.AccountEntry
  /** The ledger that changed it last. */
  readonly modified: number
  /** The newest ledger the contract RPC had. */
  readonly ledger: number
}

const order = (a: bigint | number, b: bigint | number): number => Number(a > b) - Number(a < b)

/** Which source knows the older version of the account: below zero the ledger API, above zero the contract RPC. */
const older = (record: AccountRecord, { account, modified }: ConfirmedAccount): number =>
  order(record.sequence, account.seqNum) || order(record.lastModifiedLedger, modified)

/** What only the account itself or its sponsors can change, and its lumens. */
export interface AccountFacts extends Pick<AccountRecord, "sequence" | "numSubEntries" | "numSponsored" | "numSponsoring"> {
  readonly lumens: bigint | null
}

export const factsOf = (account: xdr.AccountEntry): AccountFacts => ({
  sequence: account.seqNum,
  lumens: account.balance,
  numSubEntries: account.numSubEntries,
  ...sponsorshipsOf(account)
})

const sameFacts = (one: AccountFacts, other: AccountFacts): boolean =>
  one.sequence === other.sequence && one.numSubEntries === other.numSubEntries && one.numSponsored === other.numSponsored &&
  one.numSponsoring === other.numSponsoring

/** Whether another source shows an account as well, but for so few lumens less that they may stay with a mediator. */
export const isBackedBy = (account: AccountFacts | null, other: AccountFacts | null): boolean =>
  account === null || other === null
    ? account === other
    : sameFacts(account, other) && account.lumens !== null && other.lumens !== null && isResidue(account.lumens - other.lumens)

const apiLags = (ledgers: number) => new LedgerApiLagging({ behind: Math.max(ledgers, 1) })
const rpcLags = (ledgers: number) => new ContractRpcLagging({ behind: Math.max(ledgers, 0), ageSeconds: null })

/** What two sources that differ on an account say of themselves: which of them is behind, if either. */
const differing = (rpcOlder: number, behind: number): Disagreement => {
  if (rpcOlder === 0) return new SourcesDisagree({ about: "account" })
  return rpcOlder > 0 ? rpcLags(-behind) : apiLags(behind)
}

/** Whether the ledger API has another version than the contract RPC, though it has reached the ledger that changed the account last. */
const versionsDiffer = (record: AccountRecord, { account, modified }: ConfirmedAccount, reached: number): Disagreement | null => {
  const isSame = record.lastModifiedLedger === modified && record.lumens === account.balance
  return isSame || modified > reached ? null : new SourcesDisagree({ about: "account" })
}

/**
 * What keeps an account from being merged on what the two sources say of it; null when they agree.
 *
 * Both must be close together, the ledger API must have seen the account's own last transaction, and what only the account or its
 * sponsors can change must be the same at both. Balances may differ, because strangers change them. Where every stroop counts
 * (`strict`) neither source may have an older version of the account than its ledger allows.
 */
export const disagreement = (
  { ledger, record }: ListedAccount,
  confirmed: ConfirmedAccount,
  { strict, tolerable }: Strictness
): Disagreement | null => {
  const behind = confirmed.ledger - ledger
  const ownLast = extensionsOf(confirmed.account).sequence?.seqLedger ?? 0
  if (record === null || behind > tolerable || ownLast > ledger) return apiLags(behind)
  if (-behind > tolerable) return rpcLags(-behind)
  const rpcOlder = older(record, confirmed)
  if (!sameFacts(record, factsOf(confirmed.account))) return differing(rpcOlder, behind)
  if (!strict) return null
  return rpcOlder > 0 ? rpcLags(-behind) : versionsDiffer(record, confirmed, ledger)
}

/**
 * The same of a whole reading: what it lists and the contract RPC has not reached is not closed over. `unseen`: how much of that the
 * owner leaves behind.
 */
export const readingDisagreement = (
  { accountEntry, entries, header, ledgerApiLedger, ledgers, listed, unconfirmed }: AccountSnapshot,
  { tolerable, unseen }: { readonly tolerable: number; readonly unseen: number }
): Disagreement | null => {
  const rpcBehind = ledgers.listed.newest - Math.min(ledgers.confirmed.oldest, header.ledgerSeq)
  if (unconfirmed > unseen || rpcBehind > tolerable) return rpcLags(rpcBehind)
  const modified = entries[0]?.lastModifiedLedgerSeq ?? 0
  return disagreement({ record: listed, ledger: ledgerApiLedger }, { account: accountEntry, modified, ledger: header.ledgerSeq }, {
    strict: false,
    tolerable
  })
}
