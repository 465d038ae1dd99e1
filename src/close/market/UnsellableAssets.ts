import { Order } from "effect"
import { stroops } from "../../domain/Amount.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import { isSale } from "../../domain/ChoiceEffect.ts"
import { counted } from "../../domain/CountedNoun.ts"
import { type DecisionPoint, mostGiftIds } from "../../domain/Decision.ts"
import { parseTotal } from "../../domain/Total.ts"
import type { Operation } from "../../operations/Operations.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import type { Sale } from "../situation/Routes.ts"
import type { Situation } from "../situation/Situation.ts"
import { isSearched } from "./SearchedAmounts.ts"

/** From so many on they can be answered together. */
const several = 2

/** The asset of a point that has no answer of its own; null for any other point. */
const openAsset = ({ input: { answers } }: Situation, point: DecisionPoint): AssetId | null =>
  point.about.kind === "asset" && !answers.has(point) ? point.about.asset : null

/** Whether a point about an asset offers to return it, and no way to sell it, though ways through contracts were searched. */
const isUnsellable = (situation: Situation, { about, options }: DecisionPoint): boolean =>
  options.some(({ id }) => id === "return_to_issuer") && !options.some(({ id }) => isSale(id)) &&
  about.kind === "asset" && isSearched(situation, about.asset, parseTotal(about.amount) ?? 0n)

const pointOf = (unsold: ReadonlyArray<DecisionPoint>, answered: boolean): DecisionPoint => {
  const ids = unsold.map(({ id }) => id).toSorted(Order.string).slice(0, mostGiftIds)
  return {
    id: DecisionId.unsellableAssets,
    type: "assets",
    subject: `${counted(unsold.length, "asset")} without a known buyer`,
    about: { kind: "assets", count: unsold.length },
    options: [{
      id: "return_to_issuer",
      note:
        "Destroys the balances of the assets in ids: you get nothing for them. It covers no other asset, and none that has a buyer when its transaction is built. A decision for a single asset wins.",
      loses: unsold.flatMap(({ options }) => options.flatMap(({ id, loses = [] }) => (id === "return_to_issuer" ? loses : []))),
      params: { ids, maxCount: ids.length }
    }],
    default: null,
    required: false,
    answered
  }
}

/**
 * The points of a close, with one that answers for several assets without a known buyer. Assets that it settles have no point of their own;
 * the others keep theirs.
 */
export const withUnsellable = (situation: Situation, points: ReadonlyArray<DecisionPoint>): ReadonlyArray<DecisionPoint> => {
  const { answers } = situation.input
  const open = points.filter((point) => openAsset(situation, point) !== null)
  const named = open.filter((point) => {
    const asset = openAsset(situation, point)
    return asset !== null && answers.coversUnsold(asset)
  })
  // Where no order book is read, an asset without a quote may have a buyer.
  const unsold = situation.snapshot.unlisted === true ? [] : open.filter((point) => isUnsellable(situation, point))
  if (named.length === 0 && unsold.length < several) return points
  const settled = new Set(named.filter(({ answered }) => answered))
  return [
    ...points.filter((point) => !settled.has(point)),
    pointOf(unsold, named.length > 0 && settled.size === named.length)
  ]
}

/**
 * Returns among some operations that rest on the answer about unsellable assets alone, of assets for which no sale was looked for yet. None of
 * them is handed over before that.
 */
export const unquotedReturns = (
  { input: { answers }, market: { unquoted } }: Pick<Situation, "input" | "market">,
  operations: ReadonlyArray<Operation>
): ReadonlyArray<Sale> =>
  operations.flatMap((operation) => {
    if (operation.type !== "payment" || !unquoted.has(operation.asset) || !answers.coversUnsold(operation.asset)) return []
    return operation.destination === issued(operation.asset)?.issuer
      ? [{ asset: operation.asset, amount: stroops(operation.amount) }]
      : []
  })
