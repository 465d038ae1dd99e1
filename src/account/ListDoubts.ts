import { xdr } from "@stellar/stellar-sdk"
import { Effect, Either } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { creationLedger, type TransactionHistory } from "../chain/history/TransactionHistory.ts"
import { ledgerOfToken } from "../chain/ledger-api/PagingToken.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { AssetId } from "../domain/Asset.ts"
import { DeadlineExceeded } from "../domain/failure/Upstream.ts"
import type { LedgerGap } from "../domain/LedgerGap.ts"
import type { ProtocolReading } from "../protocols/ProtocolRegistry.ts"
import { assetContract } from "../stellar/AssetTokens.ts"
import { contractDataKey } from "../stellar/ContractKeys.ts"
import { sequenceLedgerOf } from "../stellar/Entries.ts"
import { account as accountCodec, symbol } from "../stellar/ScValCodec.ts"
import type { HistoryReading } from "./HistoryReading.ts"
import type { Sources } from "./Sources.ts"

/** An account as it was read, for judging what it can have in contracts that no one lists. */
export interface JudgedAccount {
  readonly address: AccountAddress
  readonly passphrase: string
  readonly account: xdr.AccountEntry
  /** The assets of its trustlines. */
  readonly lines: ReadonlyArray<AssetId>
}

/** Where what was read begins and what it shows. */
interface Extent {
  /** The first ledger from which on every transaction was read. */
  readonly from: number
  /** The ledger in which the account began; null where that was not seen. */
  readonly began: number | null
}

/**
 * The first ledger of a list that ended. A ledger API that keeps the ledger in which the account began shows its creation there. Where
 * that is missing, `elder` is the oldest ledger of another endpoint than the one that listed, and only what was listed counts.
 */
const startOfList = ({ bottom, oldest }: TransactionHistory, elder: number, { seqNum }: xdr.AccountEntry): number => {
  const latestBegin = Number((bottom ?? seqNum) >> 32n)
  const first = oldest === null ? Number.MAX_SAFE_INTEGER : ledgerOfToken(oldest)
  return elder <= latestBegin && first > latestBegin ? first : elder
}

/** Null where the account's sequence numbers speak of transactions that were not told, or some could not be read. */
const extentOf = (past: TransactionHistory, elder: number, account: xdr.AccountEntry): Extent | null => {
  const { seqNum } = account
  const from = past.reached ?? startOfList(past, elder, account)
  if (past.isBroken || past.lacksSome) return null
  if (past.top !== null) return past.top < seqNum ? null : { from, began: past.bottom === null ? null : creationLedger(past.bottom) }
  const began = creationLedger(seqNum)
  const isIdle = began !== null || sequenceLedgerOf(account) < from
  return isIdle ? { from, began } : null
}

/** Whether an account that made no call of its own may still have been put there by a call that someone else sent. */
const holdsAny = (
  { entries }: Pick<Sources, "entries">,
  { address, lines, passphrase }: JudgedAccount,
  reserves: ReadonlyArray<ContractAddress>
): Effect.Effect<boolean, ChainFailure> => {
  const own = new Set(lines.map((asset) => assetContract(asset, passphrase)))
  if (reserves.some((token) => own.has(token))) return Effect.succeed(true)
  const balances = reserves.map((token) =>
    contractDataKey(token, xdr.ScVal.scvVec([symbol.encode("Balance"), accountCodec.encode(address)]))
  )
  return Effect.map(entries.many(balances), (found) => found.some(({ _tag }) => _tag === "Some"))
}

/** Whether nothing of the account's can be in a contract that was deployed in the gap. */
const isLifted = (
  sources: Pick<Sources, "entries"> & { readonly elder: Sources["api"]["elderLedger"] },
  doubted: JudgedAccount,
  past: TransactionHistory,
  { gap, reserves }: { readonly gap: LedgerGap; readonly reserves: ReadonlyArray<ContractAddress> }
): Effect.Effect<boolean, ChainFailure> =>
  Effect.gen(function*() {
    const extent = extentOf(past, past.reached === null ? yield* sources.elder : past.reached, doubted.account)
    if (extent === null) return false
    const { began, from } = extent
    if (began !== null && began > gap.toLedger) return true
    const isWhole = from <= Math.max(gap.fromLedger, began ?? 0)
    if (!isWhole || past.contracts.isCrowded || past.calls.some((ledger) => ledger >= gap.fromLedger && ledger <= gap.toLedger)) {
      return false
    }
    return !(yield* holdsAny(sources, doubted, reserves))
  })

const hasDoubt = (reading: ProtocolReading): boolean => reading._tag === "Read" && reading.found !== null && reading.found.doubt !== null

/**
 * Whether the oldest ledger of the ledger API must be queried. True where a list of contracts has a gap, and the account's history does not
 * settle it.
 */
export const needsElderLedger = (own: HistoryReading, readings: ReadonlyArray<ProtocolReading>): boolean =>
  own !== null && Either.isRight(own) && own.right.reached === null && readings.some(hasDoubt)

/**
 * Readings whose list of contracts may lack some, without the doubt where nothing of this account's can be in those. Where the ledger API
 * has not seen its last transaction yet, asking again helps. `elder`: the oldest ledger of the ledger API, asked once.
 */
export const withSettledDoubts = (
  sources: Pick<Sources, "entries"> & { readonly elder: Sources["api"]["elderLedger"] },
  doubted: JudgedAccount,
  own: HistoryReading,
  readings: ReadonlyArray<ProtocolReading>
): Effect.Effect<ReadonlyArray<ProtocolReading>, ChainFailure> =>
  own === null || Either.isLeft(own) ?
    Effect.succeed(readings) :
    Effect.forEach(readings, (reading) =>
      Effect.gen(function*() {
        if (reading._tag !== "Read" || reading.found === null || reading.found.doubt === null) return reading
        const { doubt } = reading.found
        const { top } = own.right
        if (yield* isLifted(sources, doubted, own.right, { gap: doubt.gap, reserves: reading.reserves ?? [] })) {
          return { ...reading, found: { ...reading.found, doubt: null } }
        }
        const isBehind = top !== null && top < doubted.account.seqNum
        return isBehind
          ? { ...reading, found: { ...reading.found, doubt: { ...doubt, failure: doubt.failure ?? new DeadlineExceeded() } } }
          : reading
      }))
