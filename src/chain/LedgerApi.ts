import { HttpClient } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import type { Option } from "effect"
import type { AccountAddress } from "../domain/Address.ts"
import type { Stroops } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import type { TransactionHash } from "../domain/Ledger.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import * as Endpoints from "./Endpoints.ts"
import type { SurveyedEndpoint } from "./EndpointTip.ts"
import { quiet } from "./Exchange.ts"
import { account, accountsSponsoredBy } from "./ledger-api/AccountRecord.ts"
import type { AccountList, AccountRecord } from "./ledger-api/AccountRecord.ts"
import { askOver } from "./ledger-api/Ask.ts"
import { type AssetList, assetsIssuedBy } from "./ledger-api/AssetRecord.ts"
import { claimableBalancesFor, claimableBalancesSponsoredBy } from "./ledger-api/ClaimableBalanceRecord.ts"
import type { ClaimableBalanceList, ClaimableBalanceQuery } from "./ledger-api/ClaimableBalanceRecord.ts"
import { dataEntry } from "./ledger-api/DataRecord.ts"
import type { DataRecord } from "./ledger-api/DataRecord.ts"
import { capacityUsage } from "./ledger-api/FeeStatsRecord.ts"
import type { HistoryCursor } from "./ledger-api/HistoryPage.ts"
import { latestLedger, reachedLedger } from "./ledger-api/LatestLedgerRecord.ts"
import type { LatestLedgerRecord } from "./ledger-api/LatestLedgerRecord.ts"
import { offersBetween, offersOf, offersSponsoredBy } from "./ledger-api/OfferRecord.ts"
import type { OfferList, OffersBetween } from "./ledger-api/OfferRecord.ts"
import { elderLedger, history, type OwnRecord } from "./ledger-api/OwnRecord.ts"
import { type OwnTransactionPage, ownTransactions } from "./ledger-api/OwnTransactionRecord.ts"
import { strictReceivePaths, strictSendPaths } from "./ledger-api/PathRecord.ts"
import type { PathRecord } from "./ledger-api/PathRecord.ts"
import { standing } from "./ledger-api/RootRecord.ts"
import { newestTransactions, transaction, type TransactionRecord, type UnreadableRecord } from "./ledger-api/TransactionRecord.ts"
import { NetworkSettings } from "./NetworkSettings.ts"

/**
 * The ledger API (Horizon-compatible REST) of one network: it lists what hangs together, and lags behind the contract RPC.
 * Lists are read to their end, 200 records a page; a list is whole or it is a failure. `latestLedger` of an answer is its
 * `Latest-Ledger` header (the least one, for several pages): the newest ledger the ledger API had seen.
 */
export class LedgerApi extends Context.Tag("closeout/chain/LedgerApi")<LedgerApi, {
  /** The newest ledger it has seen (`/ledgers`). */
  readonly latestLedger: Effect.Effect<LatestLedgerRecord, ChainFailure>

  /**
   * The newest ledger it has seen, by whatever answer named it: `/ledgers` is asked only where none has named one as late as `least`. State
   * and history of a ledger come to it at once, so what is asked of either after this is no older.
   */
  readonly reachedLedger: (least: number) => Effect.Effect<number, ChainFailure>

  /** How full the last ledgers were: 1 is full (`/fee_stats`). */
  readonly capacityUsage: Effect.Effect<number, ChainFailure>

  /** An account with its trustlines, data entries and signers; none when it knows none (`/accounts/{id}`). */
  readonly account: (address: AccountAddress) => Effect.Effect<Option.Option<AccountRecord>, ChainFailure>

  /** Every open offer of an account (`/offers?seller=`); empty for an account it does not know. */
  readonly offersOf: (seller: AccountAddress) => Effect.Effect<OfferList, ChainFailure>

  /**
   * Offers that sell one asset for another (`/offers?selling=&buying=`), by offer id, not by price.
   * `complete` is false when there are more than `maxPages` pages.
   */
  readonly offersBetween: (selling: AssetId, buying: AssetId, maxPages: number) => Effect.Effect<OffersBetween, ChainFailure>

  /** Every claimable balance that names the account as a claimant (`/claimable_balances?claimant=`), or those that are wanted. */
  readonly claimableBalancesFor: (
    claimant: AccountAddress,
    wanted?: ClaimableBalanceQuery
  ) => Effect.Effect<ClaimableBalanceList, ChainFailure>

  /** Every claimable balance whose reserve the account pays (`/claimable_balances?sponsor=`). */
  readonly claimableBalancesSponsoredBy: (sponsor: AccountAddress) => Effect.Effect<ClaimableBalanceList, ChainFailure>

  /** Every account that is itself sponsored by the account, or holds a trustline, data entry or signer that is (`/accounts?sponsor=`). */
  readonly accountsSponsoredBy: (sponsor: AccountAddress) => Effect.Effect<AccountList, ChainFailure>

  /** Every offer whose reserve the account pays (`/offers?sponsor=`). */
  readonly offersSponsoredBy: (sponsor: AccountAddress) => Effect.Effect<OfferList, ChainFailure>

  /** A data entry; none when there is none (`/accounts/{id}/data/{name}`). */
  readonly dataEntry: (owner: AccountAddress, name: string) => Effect.Effect<Option.Option<DataRecord>, ChainFailure>

  /**
   * Ways to turn an amount of one asset into another (`/paths/strict-send`), the best first, at most three hops.
   * An empty list means that there is no way now; an outage is a failure.
   */
  readonly strictSendPaths: (
    source: AssetId,
    amount: Stroops,
    destination: AssetId
  ) => Effect.Effect<ReadonlyArray<PathRecord>, ChainFailure>

  /**
   * Ways to buy exactly an amount of one asset with each of some others, fifteen at most (`/paths/strict-receive`), the cheapest first, at
   * most three hops. An empty list means that there is no way now; an outage is a failure.
   */
  readonly strictReceivePaths: (
    sources: ReadonlyArray<AssetId>,
    destination: AssetId,
    amount: Stroops
  ) => Effect.Effect<ReadonlyArray<PathRecord>, ChainFailure>

  /** Every asset an account issued, and how much of it is out (`/assets?asset_issuer=`). */
  readonly assetsIssuedBy: (issuer: AccountAddress) => Effect.Effect<AssetList, ChainFailure>

  /**
   * Successful transactions that concerned an account, newest first (`/accounts/{id}/transactions`), at most 200: the newest of all, or
   * those before a paging token. Also for an account that is gone; empty for one it never knew.
   */
  readonly newestTransactions: (
    address: AccountAddress,
    before?: bigint
  ) => Effect.Effect<ReadonlyArray<TransactionRecord | UnreadableRecord>, ChainFailure>

  /**
   * Transactions that concerned an account, applied or failed (`/accounts/{id}/transactions`), at most 200: newest first, or, after a paging
   * token, oldest first.
   */
  readonly history: (address: AccountAddress, cursor: HistoryCursor) => Effect.Effect<ReadonlyArray<OwnRecord>, ChainFailure>

  /** The oldest ledger whose transactions it keeps (`/`). */
  readonly elderLedger: Effect.Effect<number, ChainFailure>

  /** A transaction by its hash, applied or failed; none when it knows none (`/transactions/{hash}`). */
  readonly transaction: (hash: TransactionHash) => Effect.Effect<Option.Option<TransactionRecord>, ChainFailure>

  /**
   * An account's own transactions, failed ones too, newest first, among the `limit` newest that concerned it, or those before a paging
   * token (`/accounts/{id}/transactions?include_failed=true`).
   */
  readonly ownTransactions: (
    address: AccountAddress,
    limit: number,
    before: bigint | null
  ) => Effect.Effect<OwnTransactionPage, ChainFailure>

  /** The endpoints in use, as they fared so far; asks nobody. */
  readonly endpoints: Effect.Effect<ReadonlyArray<Endpoints.EndpointReport>>

  /** Asks every endpoint where it stands (`/`); later questions go to those that are ahead. */
  readonly survey: Effect.Effect<ReadonlyArray<SurveyedEndpoint>>
}>() {
  /** Asks the endpoints of `NetworkSettings.ledgerApiUrls`; none is believed before it has named the network's passphrase. */
  static readonly layer = Layer.effect(
    LedgerApi,
    Effect.gen(function*() {
      const { ledgerApiUrls, network, passphrase } = yield* NetworkSettings
      const client = quiet(yield* HttpClient.HttpClient)
      const standingOf = standing(client)
      const endpoints = yield* Endpoints.make({
        source: "ledger_api",
        network,
        urls: ledgerApiUrls,
        identity: { passphrase, of: (url) => Effect.map(standingOf(url), (found) => found.passphrase) }
      })
      const ask = askOver(client, endpoints)
      return LedgerApi.of({
        latestLedger: latestLedger(ask),
        reachedLedger: reachedLedger(ask),
        capacityUsage: capacityUsage(ask),
        account: account(ask),
        offersOf: offersOf(ask),
        offersBetween: offersBetween(ask),
        claimableBalancesFor: claimableBalancesFor(ask),
        claimableBalancesSponsoredBy: claimableBalancesSponsoredBy(ask),
        accountsSponsoredBy: accountsSponsoredBy(ask),
        offersSponsoredBy: offersSponsoredBy(ask),
        dataEntry: dataEntry(ask),
        strictSendPaths: strictSendPaths(ask),
        strictReceivePaths: strictReceivePaths(ask),
        assetsIssuedBy: assetsIssuedBy(ask),
        newestTransactions: newestTransactions(ask),
        ownTransactions: ownTransactions(ask),
        history: history(ask),
        elderLedger: elderLedger(ask),
        transaction: transaction(ask),
        endpoints: endpoints.report,
        survey: endpoints.survey(standingOf)
      })
    })
  )
}
