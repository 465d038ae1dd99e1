import { showAmount } from "../../domain/Amount.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import type { DecisionOption, DecisionPoint, Quote } from "../../domain/Decision.ts"
import { parseTotal } from "../../domain/Total.ts"
import { isWorthLimits } from "../market/PriceImpact.ts"
import { atPrice } from "../market/SaleOffer.ts"
import type { Situation } from "../situation/Situation.ts"

/** A sale as a point offers it. */
interface SaleShown {
  readonly id: string
  readonly params: DecisionOption["params"]
  readonly quote: Quote
  readonly recommended: boolean
}

const priceWarning = (subject: string, receive: bigint, atBest: bigint): PlanBlocker =>
  warning(
    "price_impact",
    `The sale brings ${showAmount(receive)} lumens. At the best price on its route the same amount comes to ${showAmount(atBest)} lumens.`,
    subject
  )

/** The sale of a point that was chosen, else the best one; null where there is no quote for it. */
const saleIn = ({ options }: DecisionPoint, choice: string | undefined): SaleShown | null => {
  const sales = options.flatMap((
    { id, params, quote, recommended = false }
  ) => (quote === undefined ? [] : [{ id, params, quote, recommended }]))
  return (choice === undefined ? sales[0] : sales.find(({ id }) => id === choice)) ?? null
}

/**
 * Sales with a price impact above what is recommended, with what they bring and what their amounts come to at the best price: the sale
 * that was chosen, else the best one.
 */
export const priceWarnings = (
  { input, recommendedImpactBps }: Pick<Situation, "input" | "recommendedImpactBps">,
  points: ReadonlyArray<DecisionPoint>
): ReadonlyArray<PlanBlocker> =>
  points.flatMap((point) => {
    const sale = saleIn(point, input.answers.to(point)?.choice)
    if (sale === null || sale.recommended || sale.quote.priceImpactBps <= recommendedImpactBps) return []
    const { bestPrice, receive } = sale.quote
    const atBest = atPrice(parseTotal(sale.params?.amount ?? "") ?? 0n, bestPrice)
    return isWorthLimits(atBest) || isWorthLimits(receive) ? [priceWarning(point.id, receive, atBest)] : []
  })
