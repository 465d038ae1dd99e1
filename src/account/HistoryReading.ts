import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Either } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { OwnHistory } from "../chain/history/OwnHistory.ts"
import { creationLedger, emptyHistory, type TransactionHistory } from "../chain/history/TransactionHistory.ts"
import { ledgerOfToken } from "../chain/ledger-api/PagingToken.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { type PlanBlocker, warning } from "../domain/Blocker.ts"
import type { ProtocolRegistry } from "../protocols/ProtocolRegistry.ts"
import { sequenceLedgerOf } from "../stellar/Entries.ts"

/** What an account is read for: to be shown, or to be closed. */
export type ReadPurpose = "show" | "close"

/** Pages of an account's own history that are read. */
const pages: Record<ReadPurpose, number> = { show: 2, close: 20 }

/** The own history of an account; null where nothing rests on it. */
export type HistoryReading = Either.Either<TransactionHistory, ChainFailure> | null

/** Reads it from a ledger on; null: not at all. A close fails without it; a plain read gets the failure as a value. */
export const readHistory = (
  history: OwnHistory,
  since: number | null,
  address: AccountAddress,
  purpose: ReadPurpose
): Effect.Effect<HistoryReading, ChainFailure> => {
  if (since === null) return Effect.succeed(null)
  const read = history.read(address, { since, pages: pages[purpose] })
  return purpose === "close" ? Effect.map(read, Either.right) : Effect.either(read)
}

/** What the history names of allowances and contracts. */
export interface NamedInHistory extends Pick<TransactionHistory, "allowances" | "carried"> {
  readonly called: ReadonlySet<ContractAddress>
}

/** The allowance keys and contracts that the history names; none where it was not read. */
export const namedInHistory = (past: HistoryReading): NamedInHistory => {
  const { allowances, called, carried } = past === null || Either.isLeft(past) ? emptyHistory : past.right
  return { allowances, called, carried }
}

/**
 * Whether the account used a sequence number after a ledger, and its history does not show that, though it reaches back to that ledger. Then
 * the ledger API has not caught up with the account.
 */
export const isHistoryBehind = (past: HistoryReading, account: xdr.AccountEntry, since: number | null): boolean => {
  if (since === null || past === null || Either.isLeft(past) || sequenceLedgerOf(account) <= since) return false
  const { reached, top } = past.right
  return top === null ? reached === null || reached <= since : top < account.seqNum
}

/** Whether a history that ended shows a transaction of a ledger or before it, or the account's beginning. */
const goesBackTo = ({ bottom, oldest }: TransactionHistory, account: xdr.AccountEntry, since: number): boolean =>
  oldest !== null && ledgerOfToken(oldest) <= Math.max(since, creationLedger(bottom ?? account.seqNum) ?? 0)

/**
 * Whether some of what the account did after a ledger may not have been read: strangers buried it, it has an unknown arm, or the ledger API has
 * forgotten it.
 *
 * @param elder the oldest ledger that the ledger API keeps; queried only where the history does not show how far it goes back
 */
export const mayLackCalls = (
  past: HistoryReading,
  account: xdr.AccountEntry,
  since: number | null,
  elder: Effect.Effect<number, ChainFailure>
): Effect.Effect<boolean, ChainFailure> => {
  if (since === null || past === null || Either.isLeft(past)) return Effect.succeed(false)
  const { isBroken, lacksSome, reached, top } = past.right
  if (isBroken || lacksSome || (top !== null && top < account.seqNum)) return Effect.succeed(true)
  if (reached !== null) return Effect.succeed(reached > since)
  return goesBackTo(past.right, account, since) ? Effect.succeed(false) : Effect.map(elder, (oldest) => oldest > since)
}

/** The ledger of the newest call of its own that was read; 0 where there is none. */
export const newestCall = (past: HistoryReading): number =>
  past === null || Either.isLeft(past) ? 0 : past.right.calls.reduce((newest, ledger) => Math.max(newest, ledger), 0)

/** A part of the own history that was not read. */
const notScanned = (message: string, subject: string): PlanBlocker => warning("history_not_scanned", message, subject)

/** What is not known of the contracts that the account called. */
export const historyWarnings = (
  past: HistoryReading,
  { historySince }: Pick<ProtocolRegistry["Type"], "historySince">
): ReadonlyArray<PlanBlocker> => {
  if (past === null || historySince === null) return []
  if (Either.isLeft(past)) {
    return [
      warning(
        "source_failed",
        "The account's own history was not read. Contracts that only this history names were not checked. Read again shortly.",
        "history"
      )
    ]
  }
  const { contracts: { isCrowded }, lacksSome, reached } = past.right
  const warnings: Array<PlanBlocker> = []
  if (isCrowded) {
    warnings.push(notScanned(
      "Other people's transactions in the account's history name more contracts than this service checks. It did not check those named longest ago.",
      "contracts"
    ))
  }
  if (lacksSome) {
    warnings.push(notScanned(
      "Some of the account's own history is in the format of a newer ledger protocol. Contracts that only this part names were not checked.",
      "history"
    ))
  }
  if (reached !== null && reached > historySince) {
    warnings.push(notScanned(
      `The account's own history was read back to ledger ${reached} only. Contracts that the account called before that ledger, and that no other source names, were not checked.`,
      `${reached}`
    ))
  }
  return warnings
}
