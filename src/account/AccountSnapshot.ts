import type { xdr } from "@stellar/stellar-sdk"
import type { LatestLedger } from "../chain/contract-rpc/LatestLedger.ts"
import type { AccountRecord } from "../chain/ledger-api/AccountRecord.ts"
import type { AccountState } from "../domain/Account.ts"
import type { ContractAddress } from "../domain/Address.ts"
import type { PlanBlocker } from "../domain/Blocker.ts"
import type { BalanceId } from "../domain/Ledger.ts"
import type { ProtocolReading } from "../protocols/ProtocolRegistry.ts"
import type { TokensRead } from "../tokens/TokenReader.ts"
import type { ClaimableSummary } from "./ClaimableBalances.ts"
import { span } from "./Confirmation.ts"
import type { Reading } from "./Reading.ts"

/** Header fields of a closed ledger, as transaction application reads them. */
export interface SnapshotHeader {
  readonly ledgerVersion: number
  readonly ledgerSeq: number
  /** Unix seconds. */
  readonly closeTime: bigint
  /** Stroops per operation. */
  readonly baseFee: number
  /** Stroops per reserve unit. */
  readonly baseReserve: number
  readonly idPool: bigint
  readonly flags: number
}

/** Every ledger a reading saw. With sources that are level they are the same, or the next. */
export interface ReadingLedgers {
  /** The contract RPC's when the reading began. */
  readonly began: number
  /** The oldest and the newest ledger of a list of the ledger API. */
  readonly listed: { readonly oldest: number; readonly newest: number }
  /** The oldest and the newest ledger of an entry that the contract RPC answered. */
  readonly confirmed: { readonly oldest: number; readonly newest: number }
  /** The header's. */
  readonly header: number
}

/** An account as it was read, for the wire and for the ledger model. */
export interface AccountSnapshot {
  /** The wire resource. */
  readonly state: AccountState
  /** Of the newest ledger that was read. */
  readonly header: SnapshotHeader
  readonly accountEntry: xdr.AccountEntry
  /**
   * The account, its trustlines (pool share lines included), offers and data entries, the pools of its shares and the claimable
   * balances that name it: all as the contract RPC holds them.
   */
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** What was read of each protocol, by name; empty where no protocol has contracts on the network. */
  readonly protocols: ReadonlyArray<ProtocolReading>
  /** What was read of contract tokens: what is held, and what could not be read. A close is held to it. */
  readonly tokens: TokensRead
  /** Keys of allowances that its own history names: whether one is live is not looked up yet. Empty where no history was read. */
  readonly allowances: ReadonlyArray<xdr.LedgerKey>
  /** Contracts that calls of its own, which succeeded, had to do with. Empty where no history was read. */
  readonly called: ReadonlySet<ContractAddress>
  /** The newest ledger in which a transaction of someone else carried such a call, of each contract that it had to do with. */
  readonly carried: ReadonlyMap<ContractAddress, number>
  /** Calls since the plan that `hadAt` names may be missing in `called`. Left out: false. */
  readonly callsUnread?: true
  /** The history does not show what the account did since the plan that `hadAt` names: the ledger API is behind. Left out: false. */
  readonly historyBehind?: true
  /** The account as the ledger API lists it; null when it does not know it (yet). */
  readonly listed: AccountRecord | null
  readonly claimableListed: ClaimableSummary
  /** Nothing lists what the account has: it was read by what is known by name (RPC-only mode). Left out: false. */
  readonly unlisted?: true
  /** The newest ledger the ledger API had seen when it listed them. */
  readonly ledgerApiLedger: number
  readonly ledgers: ReadingLedgers
  /**
   * How many listed entries the contract RPC has not reached yet. They are in `state`, with a warning, and not in `entries`:
   * nothing may be closed over them.
   */
  readonly unconfirmed: number
  /** The claimable balances among them, each with the ledger in which the contract RPC had none: anyone can send one in every ledger. */
  readonly unconfirmedClaims: ReadonlyMap<BalanceId, number>
  /** How many listed entries are there in a form of a newer protocol. They are in `state`, with a warning, and not in `entries`. */
  readonly unreadable: number
  /** Close time of the header, ISO 8601. */
  readonly readAt: string
  /** Warnings about the reading itself; each has a `code`. */
  readonly warnings: ReadonlyArray<PlanBlocker>
}

/** The header fields of a ledger. */
export const headerOf = (ledger: LatestLedger): SnapshotHeader => ({
  ledgerVersion: ledger.protocolVersion,
  ledgerSeq: ledger.sequence,
  closeTime: ledger.closeTime,
  baseFee: ledger.baseFee,
  baseReserve: ledger.baseReserve,
  idPool: ledger.idPool,
  flags: ledger.flags
})

/** The ledgers of a reading. */
export const ledgersOf = ({ beganAt, confirmation, listing, sponsorships }: Reading): ReadingLedgers => {
  const sponsored = span(sponsorships.answers)
  return {
    began: beganAt,
    listed: { oldest: Math.min(listing.latestLedger, sponsorships.listedAt), newest: listing.newestLedger },
    confirmed: {
      oldest: Math.min(confirmation.oldestAnswer, sponsored.oldest),
      newest: Math.max(confirmation.newestAnswer, sponsored.newest)
    },
    header: confirmation.header.sequence
  }
}
