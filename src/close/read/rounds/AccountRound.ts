import { BigInt as Big, Clock, Effect, Option } from "effect"
import { AccountReader, type CallerReads } from "../../../account/AccountReader.ts"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LatestLedger } from "../../../chain/contract-rpc/LatestLedger.ts"
import { ContractRpc } from "../../../chain/ContractRpc.ts"
import type { AccountRecord } from "../../../chain/ledger-api/AccountRecord.ts"
import { LedgerApi } from "../../../chain/LedgerApi.ts"
import { maxKeysPerCall } from "../../../chain/RpcPolicy.ts"
import { LedgerApiLagging } from "../../../domain/failure/Upstream.ts"
import { unixSeconds } from "../../../domain/Instant.ts"
import { endOfFiber } from "../../../fibers/SharedWork.ts"
import { Coverage } from "../../../protocols/Coverage.ts"
import { ExchangeRegistry } from "../../../registry/ExchangeRegistry.ts"
import { tokenKeys } from "../../../tokens/StoredToken.ts"
import { ownTransactionReader } from "../../leaving/read/OwnTransactionReader.ts"
import { tokensOf } from "../../leaving/read/PlannedExits.ts"
import { foreseeAssets, foreseeTokens } from "../../leaving/tokens/ReadSales.ts"
import { MarketSource } from "../../market/MarketSource.ts"
import { emptySurvey, quotingEnd, survey } from "../../market/MarketSurvey.ts"
import { receiversIn, seenBefore, tokensNamed, wantedClaims } from "../../situation/CloseInput.ts"
import { destinationKeys } from "../../situation/DestinationState.ts"
import { FeeSettings } from "../../situation/FeeSettings.ts"
import { MediatorAccount } from "../../situation/MediatorAccount.ts"
import type { OwnCalls } from "../AfterCalls.ts"
import type { AccountReading, OpenReading } from "../CloseReading.ts"
import { foreseenSales, hasFloor } from "../CloseSales.ts"
import { InclusionFees } from "../InclusionFees.ts"
import { keysAhead } from "../RelatedEntries.ts"

/** Questions whose answers several parts of the round wait for. */
interface Listings {
  readonly account: Effect.Effect<Option.Option<AccountRecord>, ChainFailure>
  readonly header: Effect.Effect<LatestLedger, ChainFailure>
}

/**
 * Surveys the market of what the ledger API lists, while the entries of the account are still being confirmed. Where the two agree, no
 * second survey is needed. A failure here is ignored: the survey runs again in its turn, and fails there if it must. While the account
 * calls contracts, the next transaction may be a call as well. Sales with an agreed floor are then left to the transactions that make them.
 */
const foresee = (
  { agreedSales, began, input, marketApi, quotes }: OpenReading,
  account: Listings["account"],
  isCalling: OwnCalls["isCalling"]
) =>
  account.pipe(
    Effect.map(Option.match({ onNone: () => [], onSome: ({ trustlines }) => foreseenSales(input, trustlines, quotes) })),
    Effect.zipWith(
      agreedSales === "played" ? isCalling : Effect.succeed(false),
      (sales, areSpared) => sales.filter((sale) => !(areSpared && hasFloor(input, sale)))
    ),
    Effect.flatMap((sales) => survey(marketApi, input.source, sales, quotingEnd(began, sales.length))),
    Effect.orElseSucceed(() => emptySurvey)
  )

/** The requests and data of this round that the account read shares. `listener`: see `AfterCalls.ts`; null where no later ledger is waited for. */
const callerReads = (
  { input, marketApi, purpose, quotes }: OpenReading,
  { account, header }: Listings,
  listener: OwnCalls["listener"]
): CallerReads => ({
  account,
  ahead: keysAhead({ input, quotes, market: marketApi, header }),
  // Destinations are read with the account's own entry, and from memory where the ledger has not gone on since.
  beside: [...receiversIn(input)].flatMap(([address, assets]) => destinationKeys(address, assets)).slice(0, maxKeysPerCall - 1),
  ...(listener === null ? {} : { onHistory: (ledger: number) => listener(ledger, header) }),
  header,
  leaving: (positions) => tokensOf(positions).flatMap((token) => tokenKeys(token, input.source)),
  names: purpose === "plan",
  wanted: wantedClaims(input),
  ...seenBefore(input)
})

/** Round one reads the account and its positions, fees, the mediator, and surveys the market of what the account is listed with. */
export const accountRound = Effect.gen(function*() {
  const accounts = yield* AccountReader
  const api = yield* LedgerApi
  const coverage = yield* Coverage
  const fees = yield* FeeSettings
  const inclusion = yield* InclusionFees
  const markets = yield* MarketSource
  const mediators = yield* MediatorAccount
  const registry = yield* ExchangeRegistry
  const rpc = yield* ContractRpc

  return Effect.fnUntraced(function*(reading: OpenReading, { hasWaited, isCalling, listener }: OwnCalls) {
    const { input, passphrase, purpose, routes } = reading
    const listing = input.destination === null ? Option.none() : registry.lookup(input.destination)
    // Awaited, never joined: every join would compare and merge all fiber refs.
    const seen = Option.match({ onNone: () => Effect.void, onSome: ({ latestLedger }: AccountRecord) => markets.seen(latestLedger) })
    const account = endOfFiber(yield* Effect.forkScoped(Effect.tap(api.account(input.source), seen)))
    const issued = endOfFiber(yield* Effect.forkScoped(api.assetsIssuedBy(input.source)))
    // The header decides whether anything is handed over: a build takes no older word for it than its own.
    const header = endOfFiber(yield* Effect.forkScoped(purpose === "plan" || hasWaited ? rpc.recentLedger : rpc.latestLedger))
    const ways = { routes, input, passphrase }
    const [snapshot, asked, mediator, foreseen] = yield* Effect.all([
      accounts.read(input.source, tokensNamed(input), "close", callerReads(reading, { account, header }, listener)),
      inclusion.required,
      mediators.state(Option.exists(listing, ({ requiresMediator }) => requiresMediator)),
      foresee(reading, account, isCalling),
      purpose === "plan" ? Effect.forkScoped(foreseeAssets({ ...ways, at: header }, account)) : Effect.void
    ], { concurrency: "unbounded" })
    const [unasked] = snapshot.tokens.failed
    if (unasked !== undefined) return yield* Effect.fail(unasked)
    const { header: { baseFee, closeTime, ledgerSeq: sequence }, tokens } = snapshot
    if (snapshot.historyBehind === true) return yield* new LedgerApiLagging({ behind: Math.max(sequence - snapshot.ledgerApiLedger, 1) })
    if (purpose === "plan") yield* Effect.forkScoped(foreseeTokens({ ...ways, at: Effect.succeed({ closeTime, sequence }) }, tokens.held))
    const millis = yield* Clock.currentTimeMillis
    const read: AccountReading = {
      ...reading,
      snapshot,
      mediator,
      issued,
      ownTransactions: yield* ownTransactionReader(api, snapshot),
      survey: foreseen,
      now: Big.max(unixSeconds(millis), closeTime),
      registry: { fresh: registry.freshAt(millis), validUntil: registry.document.validUntil },
      tokensUnread: coverage.tokens && snapshot.state.contractTokens === undefined,
      inclusionFee: fees.perOperation(asked.contracts, baseFee),
      feePerOperation: fees.perOperation(asked.classic, baseFee),
      mostFeePerOperation: fees.perOperation(fees.mostPerOperation, baseFee)
    }
    return read
  })
})
