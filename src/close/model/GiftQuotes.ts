import { stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { ClaimSituation } from "./ClaimSituation.ts"
import { bestQuote } from "./Conversion.ts"
import { credited } from "./Credited.ts"
import { withRoom } from "./PayoutTrustlines.ts"
import { Workbench } from "./Workbench.ts"

/** What so much of an asset would bring in lumens, were it on the account and nothing else of it; null without a quote. Stroops. */
const quoteOf = (situation: ClaimSituation, asset: AssetId, amount: bigint): bigint | null => {
  if (asset === native) return amount
  const { input: { source }, market, ledgerState } = situation
  const routes = market.routes.get(asset) ?? []
  if (routes.length === 0) return null
  const ready = withRoom(Workbench.open(ledgerState, source), source, asset, amount)
  if (ready === null) return null
  const bench = Workbench.open(credited(ready.state, source, new Map([[asset, amount]])), source)
  return bestQuote(bench, { source, asset, amount: stroops(amount) }, routes)?.receive ?? null
}

/**
 * The least of some amounts of an asset that is quoted at more than `most` stroops of lumens; null when none is. More never brings
 * less, so a few quotes tell it for however many gifts.
 */
export const leastWorth = (situation: ClaimSituation, asset: AssetId, amounts: ReadonlyArray<bigint>, most: bigint): bigint | null => {
  const sorted = [...new Set(amounts)].toSorted((a, b) => (a < b ? -1 : 1))
  const exceeds = (at: number) => (quoteOf(situation, asset, sorted[at] ?? 0n) ?? 0n) > most
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (exceeds(middle)) high = middle
    else low = middle + 1
  }
  return sorted[low] ?? null
}
