import type { xdr } from "@stellar/stellar-sdk"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { AccountReader, type AccountSnapshot } from "../../account/AccountReader.ts"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import type { LineRecord } from "../../chain/ledger-api/AccountRecord.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { SecondWitness } from "../../chain/SecondWitness.ts"
import { breathe } from "../../chain/Turns.ts"
import type { ClaimableBalance } from "../../domain/Account.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { largestAmount, stroops } from "../../domain/Amount.ts"
import { type AssetId, dashed, native } from "../../domain/Asset.ts"
import type { AccountNotFound } from "../../domain/failure/Request.ts"
import { LedgerState } from "../../ledger/LedgerState.ts"
import { Coverage } from "../../protocols/Coverage.ts"
import { ProtocolRegistry } from "../../protocols/ProtocolRegistry.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { TokenRoutes } from "../../tokens/TokenRoutes.ts"
import { agreedEntries, agreedSales } from "../model/AgreedMarket.ts"
import type { CloseInput } from "../model/CloseInput.ts"
import { assetDecision, claimDecision, claimsDecision } from "../model/DecisionId.ts"
import { type Destination, readDestination } from "../model/DestinationState.ts"
import type { Exits } from "../model/Exits.ts"
import { expectedOf } from "../model/Expected.ts"
import { FeeSettings } from "../model/FeeSettings.ts"
import { HeaderRule } from "../model/HeaderRule.ts"
import { holdingsIn } from "../model/Holdings.ts"
import { type Market, unread } from "../model/Market.ts"
import { MediatorAccount } from "../model/MediatorAccount.ts"
import { claimCandidates, openClaimsIn } from "../model/OpenClaims.ts"
import type { Sale } from "../model/Routes.ts"
import type { Situation } from "../model/Situation.ts"
import { withStandings } from "../model/Standing.ts"
import { noTokenWork } from "../model/TokenWork.ts"
import { tokensNamed, transfersIn } from "./AnsweredNames.ts"
import { type NextOperations, readBuildMarket } from "./BuildMarket.ts"
import { ExitReader } from "./exits/ExitReader.ts"
import { InclusionFees } from "./InclusionFees.ts"
import { readMarket } from "./MarketReader.ts"
import { type MarketApi, MarketSource } from "./MarketSource.ts"
import { quotingEnd, survey, unsurveyed } from "./MarketSurvey.ts"
import { relatedKeys } from "./RelatedEntries.ts"
import { readTokenWork } from "./tokens/ReadTokenWork.ts"

/** The ledger closes about this often, in seconds. */
const ledgerSeconds = 5n

/** Everything that will have to be sold: what the lines hold now, what pools and positions would pay, less what debts take of it, and what can be claimed. */
const salesOf = (
  ledgerState: LedgerState,
  source: AccountAddress,
  claimable: ReadonlyArray<ClaimableBalance>,
  exits: Exits
): ReadonlyArray<Sale> => {
  const holdings = holdingsIn(ledgerState, source)
  if (holdings === null) return []
  const fromPools = holdings.poolShares.flatMap(({ assetA, assetB, reserveA, reserveB, shares, totalShares }) =>
    totalShares === 0n ? [] : [
      { asset: assetA, amount: (reserveA * shares) / totalShares },
      { asset: assetB, amount: (reserveB * shares) / totalShares }
    ]
  )
  const arriving = [...fromPools, ...claimable, ...Array.from(expectedOf(exits), ([asset, amount]) => ({ asset, amount }))]
  const deauthorized = new Set(holdings.trustlines.filter(({ authorized }) => !authorized).map(({ asset }) => asset))
  const total = new Map<AssetId, bigint>()
  for (const { amount, asset } of [...holdings.trustlines.map(({ asset, balance }) => ({ asset, amount: balance })), ...arriving]) {
    total.set(asset, (total.get(asset) ?? 0n) + amount)
  }
  return [...total].flatMap((
    [asset, amount]
  ) => (asset === native || amount <= 0n || deauthorized.has(asset)
    ? []
    : [{ asset, amount: stroops(amount < largestAmount ? amount : largestAmount) }])
  )
}

/** What sells an asset: on its books, or, of what arrives after a sale through contracts, there as well. */
const selling: ReadonlySet<string> = new Set(["convert_to_native", "convert_through_contracts"])

const mayBeSold = ({ decisions }: CloseInput, { asset }: Sale): boolean =>
  selling.has(decisions.get(assetDecision(asset))?.choice ?? "convert_to_native")

const isForfeited = ({ decisions }: CloseInput, { asset, id }: ClaimableBalance): boolean =>
  (decisions.get(claimDecision(id)) ?? decisions.get(claimsDecision(asset)))?.choice === "forfeit"
/** Lines that one transaction disposes of at most: each balance leaves with its line. */
const mostDisposals = 50

/** What the lines hold, in the order in which it leaves: all of it, or what one transaction may carry. */
const foreseenSales = (input: CloseInput, trustlines: ReadonlyArray<LineRecord>, purpose: "plan" | "build"): ReadonlyArray<Sale> => {
  const lines = trustlines.filter(({ authorized, balance }) => authorized && balance > 0n)
    .map(({ asset, balance }): Sale => ({ asset, amount: balance })).toSorted((a, b) => (dashed(a.asset) < dashed(b.asset) ? -1 : 1))
  return purpose === "plan" ? lines : lines.slice(0, mostDisposals).filter((sale) => mayBeSold(input, sale))
}

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** What a situation is read for. A build tells what its transaction would carry, because only that is quoted. */
export type Wanted = { readonly purpose: "plan" } | { readonly purpose: "build"; readonly next: NextOperations }

/** Collects what one close call rests on: the account, the destinations, the market, the fees. */
export class SituationReader extends Context.Tag("closeout/close/SituationReader")<SituationReader, {
  /**
   * Reads afresh; every source that does not answer is a failure. A plan wants a quote for everything that could be sold, a builder
   * only for what is not decided otherwise.
   */
  readonly read: (input: CloseInput, wanted: Wanted) => Effect.Effect<Situation, AccountNotFound | ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    SituationReader,
    Effect.gen(function*() {
      const accounts = yield* AccountReader
      const inclusion = yield* InclusionFees
      const api = yield* LedgerApi
      const entries = yield* LedgerEntries
      const registry = yield* ExchangeRegistry
      const coverage = yield* Coverage
      const { passphrase } = yield* NetworkSettings
      const fees = yield* FeeSettings
      const headers = yield* HeaderRule
      const mediators = yield* MediatorAccount
      const exitReader = yield* ExitReader
      const markets = yield* MarketSource
      const witness = yield* SecondWitness
      const rpc = yield* ContractRpc
      const routes = yield* TokenRoutes
      const protocols = yield* ProtocolRegistry

      const destinationAt = (address: AccountAddress, assets: ReadonlyArray<AssetId>): Effect.Effect<Destination, ChainFailure> =>
        readDestination(entries, address, assets, Option.getOrNull(registry.lookup(address)))

      const worldOf = ({ entries: held, header }: AccountSnapshot, now: bigint, others: ReadonlyArray<Destination>): LedgerState =>
        LedgerState.make({ ...header, ledgerSeq: header.ledgerSeq + 1, closeTime: later(header.closeTime + ledgerSeconds, now) })
          .set(others.flatMap((destination) => destination.entries))
          .set(held)

      /**
       * The market of what the ledger API says the account holds, asked while its entries are still being confirmed: where they agree
       * it need not be asked again. What fails here is asked again in its turn, and fails there if it must.
       */
      const foresee = (input: CloseInput, purpose: "plan" | "build", market: MarketApi, began: number) =>
        api.account(input.source).pipe(
          Effect.tap(Option.match({ onNone: () => Effect.void, onSome: ({ latestLedger }) => markets.seen(latestLedger) })),
          Effect.map(Option.match({ onNone: () => [], onSome: ({ trustlines }) => foreseenSales(input, trustlines, purpose) })),
          Effect.flatMap((sales) => survey(market, input.source, sales, quotingEnd(began, sales.length))),
          Effect.orElseSucceed(() => unsurveyed)
        )

      const read = Effect.fnUntraced(function*(input: CloseInput, wanted: Wanted) {
        const { purpose } = wanted
        const assetsTo = transfersIn(input)
        const others = [...assetsTo].filter(([address]) => address !== input.destination)
        const listing = input.destination === null ? Option.none() : registry.lookup(input.destination)
        const market = yield* markets.open(purpose)
        const began = yield* Clock.currentTimeMillis
        const [snapshot, destination, transfers, asked, mediator, foreseen] = yield* Effect.all([
          accounts.read(input.source, tokensNamed(input), "close"),
          input.destination === null ? Effect.succeed(null) : destinationAt(input.destination, assetsTo.get(input.destination) ?? []),
          Effect.forEach(others, ([address, assets]) => destinationAt(address, assets), { concurrency: 4 }),
          inclusion.asked,
          mediators.state(Option.exists(listing, ({ requiresMediator }) => requiresMediator)),
          foresee(input, purpose, market, began)
        ], { concurrency: "unbounded" })
        const [unasked] = snapshot.tokens.failed
        if (unasked !== undefined) return yield* Effect.fail(unasked)
        const millis = yield* Clock.currentTimeMillis
        const now = later(BigInt(Math.floor(millis / 1000)), snapshot.header.closeTime)
        const known = destination === null ? transfers : [destination, ...transfers]
        yield* breathe
        const plain = worldOf(snapshot, now, known)
        yield* breathe
        const openClaims = openClaimsIn(plain, input.source, snapshot.state.claimableBalances, plain.header.closeTime)
        const candidates = claimCandidates(input, openClaims, snapshot.state.trustlines)
        const claimableBalances = openClaims.map(({ balance }) => balance).filter((one) =>
          candidates.has(one.asset) && !isForfeited(input, one)
        )
        const inclusionFee = fees.perOperation(asked.contracts, snapshot.header.baseFee)
        const exits = yield* exitReader.read({ input, snapshot, ledgerState: plain, inclusionFee, purpose, began })
        yield* breathe
        yield* markets.seen(snapshot.ledgerApiLedger)
        yield* breathe
        const sales = salesOf(plain, input.source, claimableBalances, exits).filter((sale) => purpose === "plan" || mayBeSold(input, sale))
        const headerDoubts = [yield* headers.doubt(snapshot.header.closeTime), fees.aboveLimit(snapshot.header.baseFee)].filter((doubt) =>
          doubt !== null
        )
        const until = quotingEnd(began, sales.length)
        const over = (others: ReadonlyArray<xdr.LedgerEntry>) => (read: Market): Situation => ({
          input,
          passphrase,
          snapshot,
          destination,
          transferDestinations: new Map(known.map((one) => [one.address, one])),
          mediator,
          registry: { fresh: registry.freshAt(millis), validUntil: registry.document.validUntil },
          market: read,
          openClaims,
          singleSource: !witness.exists,
          issuedAssets: issuing.assets,
          exits,
          tokenWork: noTokenWork,
          unreadProtocols: coverage.protocols,
          tokensUnread: coverage.tokens && snapshot.state.contractTokens === undefined,
          ledgerState: plain.set(others).set(agreedEntries(agreedSales(sales, read.unquoted, input.decisions))).set(read.entries).set(
            exits.marketEntries
          ).set(mediator?.entry ? [mediator.entry] : []).set(known.flatMap((one) => one.entries)).set(snapshot.entries),
          feePerOperation: fees.perOperation(asked.classic, snapshot.header.baseFee),
          mostFeePerOperation: fees.perOperation(fees.mostPerOperation, snapshot.header.baseFee),
          headerDoubts,
          now
        })
        const [quotes, concerned, issuing] = yield* Effect.all([
          wanted.purpose === "plan" ? readMarket(market, entries, { own: input.source, sales, foreseen, until }) : Effect.succeed(unread),
          entries.many(relatedKeys(snapshot, input, exits, candidates)),
          api.assetsIssuedBy(input.source)
        ], { concurrency: 3 })
        yield* breathe
        const situation = over(concerned.flatMap(Option.toArray).map(({ entry }) => entry))
        const quoted = situation(
          wanted.purpose === "plan"
            ? quotes
            : yield* readBuildMarket({
              api: market,
              entries,
              own: input.source,
              sales,
              foreseen,
              until,
              over: situation,
              next: wanted.next
            })
        )
        const settled = { ...quoted, exits: withStandings(quoted) }
        const tokenWork = yield* readTokenWork({ api, entries, protocols, routes, rpc }, settled, {
          purpose,
          began,
          mostResourceFee: fees.mostResourceFee
        })
        return { ...settled, tokenWork }
      })
      return { read }
    })
  )
}
