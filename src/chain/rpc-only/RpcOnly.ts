import { Effect, Layer, Option } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { NetworkUnavailable } from "../../domain/failure/Upstream.ts"
import type { TransactionHash } from "../../domain/Ledger.ts"
import { sponsorOf } from "../../stellar/Entries.ts"
import { dataKey } from "../../xdr/LedgerKeys.ts"
import type { TransactionAnswer } from "../contract-rpc/TransactionAnswer.ts"
import { ContractRpc } from "../ContractRpc.ts"
import { tokenAfter } from "../ledger-api/PagingToken.ts"
import type { TransactionRecord } from "../ledger-api/TransactionRecord.ts"
import { LedgerApi } from "../LedgerApi.ts"
import { LedgerEntries } from "../LedgerEntries.ts"
import { NetworkSettings } from "../NetworkSettings.ts"
import { ownerOf, sponsors } from "./ConcernedKeys.ts"
import { KnownEntries } from "./KnownEntries.ts"
import { accountRecord, claimableRecords, offerRecords } from "./ListedEntries.ts"
import { OwnLedgers } from "./OwnLedgers.ts"
import { historyPageOf, transactionPageOf } from "./OwnPages.ts"
import { poolReceivePaths, poolSendPaths } from "./PoolPaths.ts"
import { sentLumens } from "./SentLumens.ts"

/** A transaction as the contract RPC keeps it, placed at the end of its ledger; none where it keeps none of this hash. */
const recordOf = (hash: TransactionHash, answer: TransactionAnswer): Option.Option<TransactionRecord> => {
  if (answer.status === "NOT_FOUND") return Option.none()
  const { createdAt, envelope, ledger, result } = answer
  return envelope === undefined || result === undefined
    ? Option.none()
    : Option.some({ hash, ledger, envelope, result, closedAt: createdAt, pagingToken: tokenAfter(ledger) - 1n })
}

/**
 * A `LedgerApi` without a ledger API. It finds entries by the names that the request and the account's own retained transactions give
 * (`getLedgerEntries`, `getTransactions`), and what no name leads to it does not list. The counters of the account's entry show whether all
 * sub-entries and sponsored entries were found; nothing counts claimable balances or assets that the account issued. It reads no order book,
 * and fails where it is queried for what others did.
 */
export const layer: Layer.Layer<LedgerApi, never, ContractRpc | LedgerEntries | NetworkSettings> = Layer.effect(
  LedgerApi,
  Effect.gen(function*() {
    const rpc = yield* ContractRpc
    const entries = yield* LedgerEntries
    const known = yield* KnownEntries
    const own = yield* OwnLedgers
    const { network, passphrase } = yield* NetworkSettings
    const absent = new NetworkUnavailable({ network, source: "ledger_api" })
    const unknown = Effect.fail(absent)
    const newestLedger = Effect.map(rpc.recentLedger, ({ sequence }) => sequence)

    const claimable = (address: AccountAddress, isWanted: (record: ReturnType<typeof claimableRecords>[number]) => boolean) =>
      Effect.map(known.of(address), ({ entries: found, latestLedger, newestLedger }) => ({
        claimableBalances: claimableRecords(found).filter(isWanted),
        complete: false,
        next: "",
        latestLedger,
        newestLedger
      }))

    /** The offers of an account's known entries that are wanted. */
    const offers = (address: AccountAddress, isWanted: (record: ReturnType<typeof offerRecords>[number]) => boolean) =>
      Effect.map(known.of(address), ({ entries: found, latestLedger, newestLedger }) => ({
        offers: offerRecords(found).filter(isWanted),
        latestLedger,
        newestLedger
      }))

    return LedgerApi.of({
      absent,
      latestLedger: Effect.map(rpc.latestLedger, ({ closeTime, sequence }) => ({ sequence, closeTime })),
      reachedLedger: () => Effect.map(rpc.latestLedger, ({ sequence }) => sequence),
      // Where one of ten paid more than the cheapest, ledgers were full.
      capacityUsage: Effect.map(rpc.feeStats, ({ classic: { min, p90 } }) => (p90 > min ? 1 : 0)),
      account: (address) => Effect.map(known.of(address), (found) => Option.fromNullable(accountRecord(address, found))),
      offersOf: (seller) => offers(seller, (offer) => offer.seller === seller),
      offersSponsoredBy: (sponsor) => offers(sponsor, (offer) => offer.sponsor === sponsor),
      offersBetween: () => Effect.map(newestLedger, (latestLedger) => ({ offers: [], complete: false, latestLedger })),
      claimableBalancesFor: (claimant, { asset } = {}) =>
        claimable(
          claimant,
          (one) => (asset === undefined || one.asset === asset) && one.claimants.some(({ destination }) => destination === claimant)
        ),
      claimableBalancesSponsoredBy: (sponsor) => claimable(sponsor, (one) => one.sponsor === sponsor),
      accountsSponsoredBy: (sponsor) =>
        Effect.map(known.of(sponsor), (found) => {
          const owners = new Set(found.entries.filter((entry) => sponsors(sponsor, entry)).flatMap((entry) => ownerOf(entry) ?? []))
          return { accounts: [...owners].flatMap((owner) => accountRecord(owner, found) ?? []), latestLedger: found.latestLedger }
        }),
      dataEntry: (owner, name) =>
        Effect.map(
          entries.answers([dataKey(owner, name)]),
          ([answer]) =>
            Option.flatMap(answer?.live ?? Option.none(), ({ entry, latestLedger }) =>
              entry?.data.type === "data"
                ? Option.some({
                  value: Buffer.from(entry.data.data.dataValue.value).toString("base64"),
                  sponsor: sponsorOf(entry),
                  latestLedger
                })
                : Option.none())
        ),
      strictSendPaths: poolSendPaths(entries),
      strictReceivePaths: poolReceivePaths(entries),
      assetsIssuedBy: () => Effect.map(newestLedger, (latestLedger) => ({ assets: [], latestLedger })),
      newestTransactions: sentLumens(rpc, passphrase),
      laterTransactions: () => unknown,
      history: (address, cursor) =>
        Effect.flatMap(own.of(address), (past) => (past.end === "time" ? unknown : historyPageOf(past, cursor))),
      ownSince: (address) => Effect.map(own.of(address), ({ since }) => Math.max(1, since)),
      // How far back an own history goes differs from account to account.
      elderLedger: Effect.succeed(1),
      transaction: (hash) => Effect.map(rpc.transaction(hash), (answer) => recordOf(hash, answer)),
      ownTransactions: (address, limit, before) =>
        Effect.flatMap(own.of(address), (past) => (past.end === "time" ? unknown : transactionPageOf(past, limit, before))),
      newerXdr: Effect.succeed(null),
      endpoints: Effect.succeed([]),
      survey: Effect.succeed([])
    })
  })
).pipe(Layer.provide(KnownEntries.layer), Layer.provide(OwnLedgers.layer))
