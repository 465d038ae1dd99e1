import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { LatestLedger } from "../chain/contract-rpc/LatestLedger.ts"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import { accountKey } from "../chain/EntryKeys.ts"
import type { LedgerEntries } from "../chain/LedgerEntries.ts"
import { claimableBalanceKeys } from "./ClaimableBalances.ts"
import { dataKeys } from "./DataEntries.ts"
import type { Listing } from "./Listing.ts"
import { offerKeys } from "./Offers.ts"
import { poolShareKeys } from "./PoolShares.ts"
import { trustlineKeys } from "./Trustlines.ts"

/** What the contract RPC holds of a listing. */
export interface Confirmation {
  readonly account: xdr.AccountEntry
  /** The ledger that changed the account entry last. */
  readonly accountModified: number
  /** The account entry first, then every listed entry that is (still) there. */
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** The oldest and the newest ledger among the answers; one number unless the ledger moved on while they were read. */
  readonly oldestAnswer: number
  readonly newestAnswer: number
  /** No older than `newestAnswer`, unless another endpoint that lags gave it. */
  readonly header: LatestLedger
}

/** Reads every listed entry by its key, and the header. None when the account is gone by now. */
export const confirm = (
  entries: LedgerEntries["Type"],
  rpc: ContractRpc["Type"],
  listing: Listing
): Effect.Effect<Option.Option<Confirmation>, ChainFailure> =>
  Effect.gen(function*() {
    const keys = [
      accountKey(listing.address),
      ...trustlineKeys(listing),
      ...poolShareKeys(listing),
      ...offerKeys(listing),
      ...dataKeys(listing),
      ...claimableBalanceKeys(listing)
    ]
    const [answers, latest] = yield* Effect.all([entries.many(keys), rpc.latestLedger], { concurrency: "unbounded" })
    const live = answers.flatMap(Option.toArray)
    const first = Option.getOrNull(answers[0] ?? Option.none())
    if (first === null || first.entry.data.type !== "account") return Option.none()
    const ledgers = live.map((entry) => entry.latestLedger)
    const newestAnswer = live.reduce((newest, { entry, latestLedger }) => Math.max(newest, latestLedger, entry.lastModifiedLedgerSeq), 0)
    return Option.some({
      account: first.entry.data.account,
      accountModified: first.entry.lastModifiedLedgerSeq,
      entries: live.map(({ entry }) => entry),
      oldestAnswer: ledgers.reduce((oldest, ledger) => Math.min(oldest, ledger), newestAnswer),
      newestAnswer,
      header: latest.sequence < newestAnswer ? yield* rpc.latestLedger : latest
    })
  })
