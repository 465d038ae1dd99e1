import { Clock, Context, Effect, Layer, Option, Ref } from "effect"
import { AccountReader, type AccountSnapshot, type Company } from "../../account/AccountReader.ts"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { nextClose } from "../../chain/CloseInterval.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import type { AccountRecord } from "../../chain/ledger-api/AccountRecord.ts"
import type { AssetList } from "../../chain/ledger-api/AssetRecord.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { breathe } from "../../chain/pace/Turns.ts"
import { maxKeysPerCall } from "../../chain/RpcPolicy.ts"
import { SecondWitness } from "../../chain/witness/SecondWitness.ts"
import type { ClaimableBalance } from "../../domain/Account.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { AccountNotFound } from "../../domain/failure/Request.ts"
import { concurrently } from "../../fibers/Concurrently.ts"
import { endOfFiber } from "../../fibers/EndOfFiber.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { LedgerState } from "../../ledger/LedgerState.ts"
import { Coverage } from "../../protocols/Coverage.ts"
import { type KeysAhead, ProtocolRegistry } from "../../protocols/ProtocolRegistry.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { TokenLists } from "../../registry/TokenLists.ts"
import { OwnerEvents } from "../../tokens/OwnerEvents.ts"
import { tokenKeys } from "../../tokens/StoredToken.ts"
import { TokenRoutes } from "../../tokens/TokenRoutes.ts"
import { withStandings } from "../leaving/payouts/Standing.ts"
import { ExitReader } from "../leaving/read/ExitReader.ts"
import { tokensOf } from "../leaving/read/PlannedExits.ts"
import { foreseeAssets, foreseeTokens } from "../leaving/tokens/ForeseenRoutes.ts"
import { readTokenWork } from "../leaving/tokens/ReadTokenWork.ts"
import { routesOnce } from "../leaving/tokens/RoutesOnce.ts"
import { agreedEntries, agreedSales } from "../market/AgreedMarket.ts"
import { type NextOperations, readBuildMarket, readForeseen } from "../market/BuildMarket.ts"
import { readMarket } from "../market/MarketReader.ts"
import { type MarketApi, MarketSource } from "../market/MarketSource.ts"
import { quotingEnd, survey, surveyOf, unsurveyed } from "../market/MarketSurvey.ts"
import { SaleSettings } from "../market/SaleSettings.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { type Destination, destinationKeys, readDestination } from "../situation/DestinationState.ts"
import type { Exits } from "../situation/Exits.ts"
import { FeeSettings } from "../situation/FeeSettings.ts"
import { HeaderRule } from "../situation/HeaderRule.ts"
import type { Market } from "../situation/Market.ts"
import { MediatorAccount } from "../situation/MediatorAccount.ts"
import { claimCandidates, openClaimsIn } from "../situation/OpenClaims.ts"
import type { Situation } from "../situation/Situation.ts"
import { noTokenWork } from "../situation/TokenWork.ts"
import { type Called, readAfterCalls } from "./AfterCalls.ts"
import { seenBefore, tokensNamed, transfersIn } from "./AnsweredNames.ts"
import { FormerMediators } from "./FormerMediators.ts"
import { InclusionFees } from "./InclusionFees.ts"
import { keysAhead } from "./KeysAhead.ts"
import { readRelated, type Related, relatedKeys } from "./RelatedEntries.ts"
import { foreseenSales, mayBeSold, salesOf } from "./ToSell.ts"

const isForfeited = ({ answers }: CloseInput, { asset, id }: ClaimableBalance): boolean =>
  (answers.claim(id) ?? answers.claims(asset))?.choice === "forfeit"

/** What a market can be foreseen from. */
interface Foreseeable {
  readonly account: Effect.Effect<Option.Option<AccountRecord>, ChainFailure>
  readonly market: MarketApi
  /** When the reading began, milliseconds of the clock. */
  readonly began: number
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
      const [fees, { recommendedImpactBps }] = [yield* FeeSettings, yield* SaleSettings]
      const headers = yield* HeaderRule
      const mediators = yield* MediatorAccount
      const formerMediators = yield* FormerMediators
      const exitReader = yield* ExitReader
      const markets = yield* MarketSource
      const witness = yield* SecondWitness
      const [rpc, routes, protocols, events] = [yield* ContractRpc, yield* TokenRoutes, yield* ProtocolRegistry, yield* OwnerEvents]
      const listed = yield* TokenLists
      const tokenList = new Set(listed === "none" ? [] : listed)

      const destinationAt = (address: AccountAddress, assets: ReadonlyArray<AssetId>): Effect.Effect<Destination, ChainFailure> =>
        readDestination(entries, address, assets, registry.about(address))

      const worldOf = (
        { entries: held, header }: AccountSnapshot,
        { closeInterval, now }: Pick<Situation, "closeInterval" | "now">,
        others: ReadonlyArray<Destination>
      ): LedgerState =>
        LedgerState.make({ ...header, ledgerSeq: header.ledgerSeq + 1, closeTime: later(nextClose(header.closeTime, closeInterval), now) })
          .set(others.flatMap((destination) => destination.entries))
          .set(held)

      /**
       * The market of what the ledger API says the account holds, asked while its entries are still being confirmed: where they agree
       * it need not be asked again. What fails here is asked again in its turn, and fails there if it must.
       */
      const foresee = (input: CloseInput, purpose: "plan" | "build", { account, began, market }: Foreseeable) =>
        account.pipe(
          Effect.map(Option.match({ onNone: () => [], onSome: ({ trustlines }) => foreseenSales(input, trustlines, purpose) })),
          Effect.flatMap((sales) => survey(market, input.source, sales, quotingEnd(began, sales.length))),
          Effect.orElseSucceed(() => unsurveyed)
        )

      /** What is issued is no older than what else the ledger API listed of the account. */
      const noOlder = (issuing: AssetList, { ledgerApiLedger, state }: AccountSnapshot): Effect.Effect<AssetList, ChainFailure> =>
        issuing.latestLedger < ledgerApiLedger ? api.assetsIssuedBy(state.address) : Effect.succeed(issuing)

      const readNow = Effect.fnUntraced(function*(input: CloseInput, wanted: Wanted, began: number, called: Called | null) {
        const { purpose } = wanted
        const assetsTo = transfersIn(input)
        const receivers = new Map([...(input.destination === null ? [] : [[input.destination, []] as const]), ...assetsTo])
        const listing = input.destination === null ? Option.none() : registry.lookup(input.destination)
        const market = yield* markets.open(purpose)
        // Awaited, never joined: every join would compare and merge all fiber refs.
        const seen = Option.match({ onNone: () => Effect.void, onSome: ({ latestLedger }: AccountRecord) => markets.seen(latestLedger) })
        const account = endOfFiber(yield* Effect.forkScoped(Effect.tap(api.account(input.source), seen)))
        const issues = endOfFiber(yield* Effect.forkScoped(api.assetsIssuedBy(input.source)))
        // Whom something goes to is read with the account's own entry, and told from memory where the ledger has not gone on since.
        const beside = [...receivers].flatMap(([address, assets]) => destinationKeys(address, assets)).slice(0, maxKeysPerCall - 1)
        // The header decides whether anything is handed over: a build takes no older word for it.
        const header = endOfFiber(yield* Effect.forkScoped(purpose === "plan" ? rpc.recentLedger : rpc.latestLedger))
        const ahead = keysAhead({ input, purpose, market, header })
        const ways = { routes: routesOnce(routes), input, passphrase }
        const leaving: KeysAhead = (positions) => tokensOf(positions).flatMap((token) => tokenKeys(token, input.source))
        const company: Company = {
          account,
          ahead,
          beside,
          ...(called === null ? {} : { called: (ledger: number) => called(ledger, header) }),
          header,
          leaving,
          names: purpose === "plan",
          ...seenBefore(input)
        }
        const [snapshot, asked, mediator, foreseen] = yield* concurrently([
          accounts.read(input.source, tokensNamed(input), "close", company),
          inclusion.asked,
          mediators.state(Option.exists(listing, ({ requiresMediator }) => requiresMediator)),
          foresee(input, purpose, { account, market, began }),
          purpose === "plan" ? Effect.forkScoped(foreseeAssets({ ...ways, at: header }, account)) : Effect.void
        ])
        const [unasked] = snapshot.tokens.failed
        if (unasked !== undefined) return yield* Effect.fail(unasked)
        if (purpose === "plan") {
          const { closeTime, ledgerSeq: sequence } = snapshot.header
          yield* Effect.forkScoped(foreseeTokens({ ...ways, at: Effect.succeed({ closeTime, sequence }) }, snapshot.tokens.held))
        }
        const millis = yield* Clock.currentTimeMillis
        const now = later(BigInt(Math.floor(millis / 1000)), snapshot.header.closeTime)
        const known = yield* Effect.forEach(receivers, ([address, assets]) => destinationAt(address, assets), {
          batching: true,
          concurrency: "unbounded"
        })
        const destination = known.find(({ address }) => address === input.destination) ?? null
        yield* breathe
        const closeInterval = yield* rpc.closeInterval
        const plain = worldOf(snapshot, { closeInterval, now }, known)
        yield* breathe
        const openClaims = openClaimsIn(plain, input.source, snapshot, now)
        const candidates = claimCandidates(input, openClaims, snapshot.state.trustlines)
        const claimableBalances = openClaims.map(({ balance }) => balance).filter((one) =>
          candidates.has(one.asset) && !isForfeited(input, one)
        )
        const inclusionFee = fees.perOperation(asked.contracts, snapshot.header.baseFee)
        const told = yield* Ref.make(foreseen)
        const salesWith = (exits: Exits) => salesOf(plain, input.source, claimableBalances, exits)
        /** What all else concerns, and the market of what positions declare to pay, are read while their calls are simulated. */
        const foreseeing = (exits: Exits) => {
          const concerned = Effect.ignore(entries.many(relatedKeys(snapshot, input, exits, candidates)))
          if (purpose === "build") return concerned
          const sales = salesWith(exits)
          const question = { own: input.source, sales, foreseen, until: quotingEnd(began, sales.length) }
          const met = Effect.flatMap(
            surveyOf(market, question),
            (all) => Effect.zipRight(Ref.set(told, all), readMarket(market, entries, { ...question, foreseen: all }))
          )
          return Effect.asVoid(concurrently([concerned, Effect.ignore(met)]))
        }
        const leavingWith = { market, routes: ways.routes, tokenList, salesWith, foresee: foreseeing }
        const question = { ...leavingWith, input, snapshot, ledgerState: plain, inclusionFee, purpose, began }
        const exits = yield* exitReader.read(question)
        yield* breathe
        yield* markets.seen(snapshot.ledgerApiLedger)
        yield* breathe
        const sales = salesWith(exits).filter((sale) => purpose === "plan" || mayBeSold(input, sale))
        const headerDoubts = [yield* headers.doubt(snapshot.header.closeTime), fees.aboveLimit(snapshot.header.baseFee)].filter((doubt) =>
          doubt !== null
        )
        const until = quotingEnd(began, sales.length)
        const over = ({ entries: others, unreadable }: Related, issuing: AssetList) => (read: Market): Situation => ({
          input,
          passphrase,
          snapshot,
          destination,
          transferDestinations: new Map(known.map((one) => [one.address, one])),
          mediator,
          formerMediators,
          registry: { fresh: registry.freshAt(millis), validUntil: registry.document.validUntil },
          market: read,
          openClaims,
          singleSource: !witness.exists,
          issuedAssets: issuing.assets,
          unreadable,
          exits,
          tokenWork: noTokenWork,
          tokenList,
          unreadProtocols: coverage.protocols,
          tokensUnread: coverage.tokens && snapshot.state.contractTokens === undefined,
          // What stands later counts, and before all of it what was confirmed of the account itself and of whom something goes to.
          ledgerState: plain.add([
            ...others,
            ...agreedEntries(agreedSales(sales, read.unquoted, input.answers)),
            ...read.entries,
            ...exits.marketEntries,
            ...(mediator?.entry ? [mediator.entry] : [])
          ]),
          feePerOperation: fees.perOperation(asked.classic, snapshot.header.baseFee),
          mostFeePerOperation: fees.perOperation(fees.mostPerOperation, snapshot.header.baseFee),
          recommendedImpactBps,
          headerDoubts,
          closeInterval,
          now
        })
        const open = { api: market, entries, own: input.source, sales, foreseen: yield* Ref.get(told), until }
        // A build begins with what was foreseen: what else its transaction carries is known only over everything that concerns it.
        const [quotes, concerned] = yield* Effect.all([
          wanted.purpose === "plan" ? readMarket(market, entries, open) : readForeseen(open),
          readRelated(entries, relatedKeys(snapshot, input, exits, candidates))
        ], { batching: true, concurrency: 2 })
        const issuing = yield* Effect.flatMap(issues, (told) => noOlder(told, snapshot))
        yield* breathe
        const situation = over(concerned, issuing)
        const quoted = situation(
          wanted.purpose === "plan"
            ? quotes
            : yield* readBuildMarket({ ...open, foreseenMarket: quotes, over: situation, next: wanted.next })
        )
        const settled = { ...quoted, exits: withStandings(quoted) }
        const tokenWork = yield* readTokenWork({ api, entries, events, protocols, routes: ways.routes, rpc }, settled, {
          purpose,
          began,
          mostResourceFee: fees.mostResourceFee
        })
        return { ...settled, tokenWork }
      }, Effect.scoped)

      const read = (input: CloseInput, wanted: Wanted) =>
        Effect.flatMap(steadyMillis, (began) =>
          wanted.purpose === "plan"
            ? readNow(input, wanted, began, null)
            : readAfterCalls(rpc, (called) => readNow(input, wanted, began, called)))
      return { read }
    })
  )
}
