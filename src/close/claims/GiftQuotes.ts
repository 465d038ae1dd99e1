import type { AssetId } from "../../domain/Asset.ts"
import { lumensFor } from "../leaving/payouts/LumensFor.ts"
import type { ClaimSituation } from "./ClaimSituation.ts"

/**
 * The least of some amounts of an asset that is quoted at more than `most` stroops of lumens; null when none is. More never brings
 * less, so a few quotes tell it for however many gifts.
 */
export const leastWorth = (situation: ClaimSituation, asset: AssetId, amounts: ReadonlyArray<bigint>, most: bigint): bigint | null => {
  const { input: { source }, ledgerState, market } = situation
  const routes = market.routes.get(asset) ?? []
  const sorted = [...new Set(amounts)].toSorted((a, b) => (a < b ? -1 : 1))
  const exceeds = (at: number) => (lumensFor({ ledgerState, source }, { asset, amount: sorted[at] ?? 0n }, routes) ?? 0n) > most
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (exceeds(middle)) high = middle
    else low = middle + 1
  }
  return sorted[low] ?? null
}
