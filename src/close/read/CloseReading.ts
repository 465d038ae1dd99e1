import type { xdr } from "@stellar/stellar-sdk"
import type { Effect } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { AssetList } from "../../chain/ledger-api/AssetRecord.ts"
import type { ClaimableBalance } from "../../domain/Account.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { TokenRoutes } from "../../tokens/TokenRoutes.ts"
import { withGiftStates } from "../leaving/payouts/GiftState.ts"
import type { OwnTransactionReader } from "../leaving/read/OwnTransactionReader.ts"
import { agreedEntries, agreedSales } from "../market/AgreedMarket.ts"
import type { MarketApi } from "../market/MarketSource.ts"
import type { MarketQuestion, Survey } from "../market/MarketSurvey.ts"
import type { Destination } from "../situation/DestinationState.ts"
import type { Market } from "../situation/Market.ts"
import type { Situation } from "../situation/Situation.ts"
import { noTokenWork } from "../situation/TokenWork.ts"

/** A reading of a close before its first round: the request, and what settings say. Each round adds to it. */
export interface OpenReading extends
  Pick<
    Situation,
    "formerMediators" | "input" | "passphrase" | "recommendedImpactBps" | "singleSource" | "tokenList" | "unreadProtocols"
  >
{
  readonly purpose: "plan" | "build"
  /** Whether sales with an agreed floor that come after the next transaction are played at it, or quoted as well. A plan quotes all. */
  readonly agreedSales: "played" | "quoted"
  /** What is quoted before anything is played: everything that could be sold, or what the next transaction may carry. */
  readonly quotes: "all" | "next"
  /** When it began, milliseconds of the clock. */
  readonly began: number
  /** The market as this request sees it: each query is sent once. */
  readonly marketApi: MarketApi
  /** Ways through pools of protocols, each searched once in this request. */
  readonly routes: TokenRoutes["Type"]
}

/** After the first round: the account, fees, the mediator, and a first survey of the market. */
export interface AccountReading
  extends
    OpenReading,
    Pick<Situation, "feePerOperation" | "mediator" | "mostFeePerOperation" | "now" | "registry" | "snapshot" | "tokensUnread">
{
  /** Stroops a contract transaction bids besides its resource fee. */
  readonly inclusionFee: bigint
  /** The account's own transactions, each page of them read once in this request. */
  readonly ownTransactions: OwnTransactionReader
  /** What the account issued, as far as the ledger API lists it; asked in the first round, awaited in the fourth. */
  readonly issued: Effect.Effect<AssetList, ChainFailure>
  /** What the ledger API named so far for what will be sold. */
  readonly survey: Survey
}

/** After the second: the destinations, and with them the state of the ledger in which claims open. */
export interface DestinationReading extends AccountReading, Pick<Situation, "closeInterval" | "destination" | "openClaims"> {
  /** The destination of the close and of each transfer. */
  readonly receivers: ReadonlyArray<Destination>
  /** The account and its destinations under the header of the next ledger. */
  readonly ownState: Situation["ledgerState"]
  /** Assets that the close may claim. */
  readonly claimedAssets: ReadonlySet<AssetId>
  /** Balances that it may claim, without those that are given up. */
  readonly claimed: ReadonlyArray<ClaimableBalance>
}

/** After the third: what is held in protocols, and how it is left. */
export interface ExitReading extends DestinationReading, Pick<Situation, "exits"> {}

/** After the fourth: everything that concerns the close, and the market of its sales as far as it was read. */
export interface MarketReading extends ExitReading, Pick<Situation, "headerDoubts" | "issuedAssets" | "market" | "unreadable"> {
  /** Everything the close will sell, whichever transaction carries it; what was surveyed of it; when to stop asking. */
  readonly question: Required<MarketQuestion>
  /** Entries of others that the close can touch. */
  readonly related: ReadonlyArray<xdr.LedgerEntry>
}

/**
 * The situation of a reading over a market, before its fifth round, with what becomes of positions that others can give. What the market does
 * not quote is played at its agreed price.
 */
export const situationOver = (reading: MarketReading, market: Market): Situation => {
  const { exits, input, mediator, ownState, question: { sales }, receivers, related } = reading
  const situation: Situation = {
    input,
    passphrase: reading.passphrase,
    snapshot: reading.snapshot,
    destination: reading.destination,
    transferDestinations: new Map(receivers.map((one) => [one.address, one])),
    mediator,
    formerMediators: reading.formerMediators,
    registry: reading.registry,
    market,
    openClaims: reading.openClaims,
    singleSource: reading.singleSource,
    issuedAssets: reading.issuedAssets,
    unreadable: reading.unreadable,
    exits,
    tokenWork: noTokenWork,
    tokenList: reading.tokenList,
    unreadProtocols: reading.unreadProtocols,
    tokensUnread: reading.tokensUnread,
    // What stands later counts, and before all of it what was confirmed of the account itself and of its destinations.
    ledgerState: ownState.add([
      ...related,
      ...agreedEntries(agreedSales(sales, market.unquoted, input.answers)),
      ...market.entries,
      ...exits.marketEntries,
      ...(mediator?.entry ? [mediator.entry] : [])
    ]),
    feePerOperation: reading.feePerOperation,
    mostFeePerOperation: reading.mostFeePerOperation,
    recommendedImpactBps: reading.recommendedImpactBps,
    headerDoubts: reading.headerDoubts,
    closeInterval: reading.closeInterval,
    now: reading.now
  }
  return { ...situation, exits: withGiftStates(situation) }
}
