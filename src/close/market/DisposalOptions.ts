import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount, type Stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { DecisionOption } from "../../domain/Decision.ts"
import { trustlineIn } from "../situation/Holdings.ts"
import type { Situation } from "../situation/Situation.ts"
import { assetValue } from "../situation/TokenValues.ts"
import type { Workbench } from "../situation/Workbench.ts"
import type { ConversionQuote } from "./Conversion.ts"
import { offeredMaximum } from "./Floors.ts"
import type { PriceImpact } from "./PriceImpact.ts"
import { contractOffer, isRouteFor, offerTermsOf, type SaleOffer, saleOptions } from "./SaleOffer.ts"
import { isSearched } from "./SearchedAmounts.ts"
import { isThroughUnlisted } from "./UnlistedTokens.ts"

/** The balance of one trustline that has to go, and its best quote. */
export interface DisposalCase {
  readonly situation: Situation
  readonly bench: Workbench
  readonly source: AccountAddress
  readonly asset: AssetId
  readonly amount: Stroops
  readonly quote: ConversionQuote | null
  /** The price impact of the quote; computed once, on demand. */
  readonly impact: () => PriceImpact | null
}

/** The ledger of the books that a quote rests on: up to a minute old in a plan. */
const ledgerOf = ({ market }: Situation, asset: AssetId): { readonly ledger?: number } => {
  const ledger = market.ledgers.get(asset)
  return ledger === undefined ? {} : { ledger }
}

/** The sale on the books and pools of the ledger. It is offered however little it brings, since returning costs an operation too. */
const onBooks = ({ amount, asset, impact, quote, situation }: DisposalCase): ReadonlyArray<SaleOffer> => {
  const found = impact()
  return quote === null || found === null ? [] : [{
    choice: "convert_to_native",
    amount: showAmount(amount),
    sells: "Sell it on the ledger's own markets",
    receive: quote.receive,
    fee: situation.feePerOperation,
    impact: found,
    bestPrice: found.bestPrice,
    quote: { path: quote.path, ...ledgerOf(situation, asset) },
    params: {},
    caution: null
  }]
}

/** The sale of all of it through contracts, where they pay more. */
export const throughContracts = ({ amount, asset, quote, situation }: DisposalCase): ReadonlyArray<SaleOffer> => {
  const route = situation.tokenWork.assetRoutes.get(asset)
  if (route === undefined || !isRouteFor(route, amount) || route.amountOut <= (quote?.receive ?? 0n)) return []
  // A token that no list names may make the sale fail: a quote of the books comes first, even a lower one.
  if (quote !== null && isThroughUnlisted(route)) return []
  const sold = showAmount(route.amountIn)
  return contractOffer(situation, route, {
    choice: "convert_through_contracts",
    amount: sold,
    isAnswered: situation.input.answers.asset(asset) !== undefined,
    sells: `Sell it through pools of ${route.source}, which pay more`,
    bestPrice: (perUnit) => perUnit
  })
}

/** What is not known of the market of an asset that is to be returned for want of a quote. */
const unreadBook = ({ asset, quote, situation: { market, snapshot } }: DisposalCase): string => {
  if (quote !== null || !market.truncated.some((book) => book.endsWith(`/${asset}`))) return ""
  return snapshot.unlisted === true
    ? " Its order book was not read, since this network has no ledger API: if someone buys it, sell it yourself first."
    : " Its order book is deeper than was read: selling part of it yourself first may bring lumens."
}

/** Whether an asset without an answer may have a buyer among pools that were not searched for this amount. */
const isUnsearched = ({ amount, asset, quote, situation }: DisposalCase): boolean =>
  quote === null && situation.input.answers.asset(asset) === undefined && !isSearched(situation, asset, amount)

/** Whether the trustline holds all of it already: a sale through contracts comes before claims and withdrawals. */
const isHeld = ({ amount, asset, situation: { ledgerState }, source }: DisposalCase): boolean =>
  trustlineIn(ledgerState, source, asset)?.balance === amount

/** The sale through contracts that no way was searched for. */
const unsearchedSale = (of: DisposalCase): ReadonlyArray<DecisionOption> =>
  isUnsearched(of) && isHeld(of)
    ? [{
      id: "convert_through_contracts",
      note:
        "No quote was fetched from pools, since a plan searches 400 assets at most. Decide the others and plan again, or get one from GET /paths and add minReceive.",
      params: { amount: showAmount(of.amount) }
    }]
    : []

/** What is not known of pools where no sale through them can be offered. */
const unsearchedPools = (of: DisposalCase): string =>
  isUnsearched(of) && !isHeld(of) ? " Pools of protocols may buy it. Plan again once its trustline holds all of it." : ""

/** The ways that are offered for a balance: sales first, then a transfer, then the return to its issuer. */
export const disposalOptions = (of: DisposalCase): ReadonlyArray<DecisionOption> => {
  const { amount, asset, quote, situation } = of
  const maxAmount = showAmount(offeredMaximum(amount, quote?.receive ?? null))
  return [
    ...saleOptions([...onBooks(of), ...throughContracts(of)], offerTermsOf(situation)),
    ...(situation.market.unquoted.has(asset)
      ? [{
        id: "convert_to_native" as const,
        note: "No quote was fetched in time. Plan again, or get one from GET /paths and add minReceive.",
        params: { amount: showAmount(amount) }
      }]
      : []),
    ...unsearchedSale(of),
    {
      id: "transfer_to_account",
      note: "Add the destination. It needs a trustline with a sufficient limit for the balance.",
      params: { maxAmount }
    },
    {
      id: "return_to_issuer",
      note: `Destroys the balance: you get nothing for it.${unreadBook(of)}${unsearchedPools(of)}`,
      loses: [assetValue(asset, amount)],
      params: { maxAmount }
    }
  ]
}
