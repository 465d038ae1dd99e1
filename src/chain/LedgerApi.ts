import { HttpClient } from "@effect/platform"
import { Array as Arr, Context, Effect, Layer, type Option } from "effect"
import type { AccountAddress } from "../domain/Address.ts"
import type { Stroops } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import type { NetworkUnavailable } from "../domain/failure/Upstream.ts"
import type { TransactionHash } from "../domain/Ledger.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import * as Endpoints from "./Endpoints.ts"
import type { SurveyedEndpoint } from "./EndpointTip.ts"
import { quiet } from "./Exchange.ts"
import { account, type AccountList, type AccountRecord, accountsSponsoredBy } from "./ledger-api/AccountRecord.ts"
import { askOver } from "./ledger-api/Ask.ts"
import { type AssetList, assetsIssuedBy } from "./ledger-api/AssetRecord.ts"
import {
  type ClaimableBalanceList,
  type ClaimableBalanceQuery,
  claimableBalancesFor,
  claimableBalancesSponsoredBy
} from "./ledger-api/ClaimableBalanceRecord.ts"
import { dataEntry, type DataRecord } from "./ledger-api/DataRecord.ts"
import { capacityUsage } from "./ledger-api/FeeStatsRecord.ts"
import type { HistoryCursor } from "./ledger-api/HistoryPage.ts"
import { latestLedger, type LatestLedgerRecord, reachedLedger } from "./ledger-api/LatestLedgerRecord.ts"
import { type OfferList, type OffersBetween, offersBetween, offersOf, offersSponsoredBy } from "./ledger-api/OfferRecord.ts"
import { history, type OwnRecord } from "./ledger-api/OwnRecord.ts"
import { type OwnTransactionPage, ownTransactions } from "./ledger-api/OwnTransactionRecord.ts"
import { type PathRecord, strictReceivePaths, strictSendPaths } from "./ledger-api/PathRecord.ts"
import { elderLedger, readTip } from "./ledger-api/RootRecord.ts"
import {
  type LaterPage,
  type LaterTransactions,
  laterTransactions,
  newestTransactions,
  transaction,
  type TransactionRecord,
  type UnreadableRecord
} from "./ledger-api/TransactionRecord.ts"
import { ledgerAge } from "./LedgerAge.ts"
import { NetworkSettings } from "./NetworkSettings.ts"
import { NewerXdrSeen } from "./NewerXdrSeen.ts"

/**
 * The ledger API (Horizon-compatible REST) of one network: it lists what hangs together, and lags behind the contract RPC.
 * Lists are read to their end, 200 records a page; a list is whole or it is a failure. `latestLedger` of an answer is its
 * `Latest-Ledger` header (the least one, for several pages): the newest ledger the ledger API had seen.
 */
export class LedgerApi extends Context.Tag("closeout/chain/LedgerApi")<LedgerApi, {
  /**
   * Null where there is a ledger API. Else there is none, and the contract RPC answers in its place (`rpc-only/RpcOnly.ts`). Lists then hold what the request and
   * the account's own transactions name, and paths are those through the ledger's own pool of a pair: an empty one says nothing. Nor is it a
   * second source. Queries that only a ledger API could answer fail with this.
   */
  readonly absent: NetworkUnavailable | null

  /** The newest ledger it has seen (`/ledgers`). */
  readonly latestLedger: Effect.Effect<LatestLedgerRecord, ChainFailure>

  /**
   * The newest ledger it has seen, as any of its answers named it: `/ledgers` is queried only where none has named one as late as `least`.
   * State and history of a ledger come to one endpoint at once. Of several endpoints another one may answer later queries with an older ledger.
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
   * Transactions that concerned an account, applied or failed, later than a paging token (`/accounts/{id}/transactions`), the newest first: the
   * newest of all, or those before another token.
   */
  readonly laterTransactions: (address: AccountAddress, after: bigint, page: LaterPage) => Effect.Effect<LaterTransactions, ChainFailure>

  /**
   * Transactions that concerned an account, applied or failed (`/accounts/{id}/transactions`), at most 200: newest first, or, after a paging
   * token, oldest first.
   */
  readonly history: (address: AccountAddress, cursor: HistoryCursor) => Effect.Effect<ReadonlyArray<OwnRecord>, ChainFailure>

  /** Where there is no ledger API, the ledger from which on an account's own transactions are in its `history`: 1 where none is missing. Null: `history` goes back to its own end. */
  readonly ownSince: (address: AccountAddress) => Effect.Effect<number | null, ChainFailure>

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

  /** Which answers had XDR that this version does not know, in words; null: none since the start. Asks no one. */
  readonly newerXdr: Effect.Effect<string | null>

  /** The endpoints in use, as they fared so far; asks no one. */
  readonly endpoints: Effect.Effect<ReadonlyArray<Endpoints.EndpointReport>>

  /** Queries the tip of every endpoint (`/`); later questions go to those that are ahead. */
  readonly survey: Effect.Effect<ReadonlyArray<SurveyedEndpoint>>
}>() {
  /** Asks the endpoints of `NetworkSettings.ledgerApiUrls`; none is believed before it has named the network's passphrase. */
  static readonly layer = Layer.effect(
    LedgerApi,
    Effect.gen(function*() {
      const { ledgerApiUrls, network, passphrase } = yield* NetworkSettings
      if (!Arr.isNonEmptyReadonlyArray(ledgerApiUrls)) return yield* Effect.dieMessage("a ledger API without an endpoint")
      const client = quiet(yield* HttpClient.HttpClient)
      const tipOf = readTip(client)
      const { rejectedAge } = yield* ledgerAge
      const endpoints = yield* Endpoints.make({
        source: "ledger_api",
        network,
        rejectedAge,
        urls: ledgerApiUrls,
        identity: { passphrase, of: (url) => Effect.map(tipOf(url), (found) => found.passphrase) }
      })
      const newer = new NewerXdrSeen(network, "ledger_api")
      const ask = askOver(client, endpoints, newer)
      return LedgerApi.of({
        absent: null,
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
        laterTransactions: laterTransactions(ask),
        ownTransactions: ownTransactions(ask),
        history: history(ask),
        ownSince: () => Effect.succeed(null),
        elderLedger: elderLedger(ask),
        transaction: transaction(ask),
        endpoints: endpoints.report,
        newerXdr: Effect.sync(() => newer.told),
        survey: endpoints.survey(tipOf)
      })
    })
  )
}
