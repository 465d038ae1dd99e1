import type { xdr } from "@stellar/stellar-sdk"
import { Duration, Effect } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { ttlCache } from "../../fibers/TtlCache.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { OwnRecord } from "../ledger-api/OwnRecord.ts"
import { pageSize } from "../ledger-api/Page.ts"
import type { LedgerApi } from "../LedgerApi.ts"
import { inTurns, type Stoppable } from "../pace/Turns.ts"
import { NameGathering } from "./NamedContracts.ts"
import { factsFor } from "./OwnRecordFacts.ts"
import { emptyHistory, mergedHistory, type TransactionHistory, withRecord } from "./TransactionHistory.ts"

/** How long the history of an account is kept, and of how many. */
const timeToLive = Duration.minutes(10)
const mostOwners = 1_000

/** How far an account's history is read. */
export interface HistoryReach {
  /** Nothing before this ledger is read. */
  readonly since: number
  /** Pages of 200. */
  readonly pages: number
}

/** The own history of accounts, as the ledger API tells it. */
export interface OwnHistory {
  /** Reads it, or what came since it was read last; a page that is not had is a failure, regardless of what is remembered. */
  readonly read: (address: AccountAddress, reach: HistoryReach) => Effect.Effect<TransactionHistory, ChainFailure>
}

interface Memory {
  readonly past: TransactionHistory
  readonly reach: HistoryReach
  /** Milliseconds of the clock. */
  readonly since: number
}

/**
 * Reads histories, and remembers of each account for ten minutes what is in a `TransactionHistory`: contracts, ledgers and a paging token.
 *
 * @param pick the contracts that a call of the account may have to do with, by its footprint
 */
export const ownHistory = (
  api: LedgerApi["Type"],
  pick: (footprint: ReadonlyArray<xdr.LedgerKey>, address: AccountAddress) => ReadonlyArray<ContractAddress>
): Effect.Effect<OwnHistory> =>
  Effect.sync(() => {
    const memories = ttlCache<AccountAddress, Memory>({ timeToLive, most: mostOwners })

    /** Calls of a page are put to those of the pages before it at once, so that a long history is not copied for each of them. */
    function* taken(
      address: AccountAddress,
      past: TransactionHistory,
      records: ReadonlyArray<OwnRecord>,
      gathering: NameGathering
    ): Stoppable<TransactionHistory | null> {
      const factsOf = factsFor(address)
      let page: TransactionHistory = { ...past, calls: [] }
      for (const record of records) {
        const facts = factsOf(record)
        if (facts === null) return null
        page = withRecord(page, facts)
        gathering.take(facts, facts.footprint.length === 0 ? [] : pick(facts.footprint, address))
        yield
      }
      return { ...page, calls: [...past.calls, ...page.calls] }
    }

    /** What no one can make out is a failure, regardless of what else is known. Strangers choose how many records there are. */
    const taking = (
      address: AccountAddress,
      past: TransactionHistory,
      records: ReadonlyArray<OwnRecord>,
      gathering: NameGathering
    ): Effect.Effect<TransactionHistory, ChainFailure> =>
      Effect.flatMap(
        inTurns(() => taken(address, past, records, gathering)),
        (read) => (read === null ? new UpstreamUnusable({ source: "ledger_api" }) : Effect.succeed({ ...read, ...gathering.names }))
      )

    /** From the newest back, until the list ends, or the reach does. */
    const back = (address: AccountAddress, { pages, since }: HistoryReach): Effect.Effect<TransactionHistory, ChainFailure> =>
      Effect.gen(function*() {
        const gathering = new NameGathering()
        let past = emptyHistory
        for (let page = 0; page < pages; page++) {
          const records = yield* api.history(address, past.oldest === null ? {} : { before: past.oldest })
          const within = records.filter(({ ledger }) => ledger >= since)
          past = yield* taking(address, past, within, gathering)
          if (within.length < records.length) return { ...past, reached: since }
          if (records.length < pageSize) return { ...past, reached: yield* api.ownSince(address) }
        }
        return past
      })

    /** What came since, the newest first; null where it is more than is read at a time. */
    const since = (address: AccountAddress, token: bigint, pages: number): Effect.Effect<ReadonlyArray<OwnRecord> | null, ChainFailure> =>
      Effect.gen(function*() {
        const all: Array<OwnRecord> = []
        for (let page = 0; page < pages; page++) {
          const records = yield* api.history(address, { after: all.at(-1)?.paging_token ?? token })
          all.push(...records)
          if (records.length < pageSize) return all.toReversed()
        }
        return null
      })

    const read = Effect.fnUntraced(function*(address: AccountAddress, reach: HistoryReach) {
      const now = yield* steadyMillis
      const memory = memories.get(address, now)
      const serves = memory !== undefined && memory.reach.pages >= reach.pages && memory.reach.since <= reach.since
      const token = serves ? memory.past.newest : null
      const later = token === null ? null : yield* since(address, token, reach.pages)
      const past = !serves || later === null
        ? yield* back(address, reach)
        : mergedHistory(memory.past, yield* taking(address, emptyHistory, later, new NameGathering()))
      // What was read once counts from when it was read back to its start.
      const [known, began] = serves && later !== null ? [memory.reach, memory.since] : [reach, now]
      memories.set(address, { past, reach: known, since: began }, now, began)
      return past
    })
    return { read }
  })
