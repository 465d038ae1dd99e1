import { Option, Order } from "effect"
import { largestAmount, showAmount, stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import type { DecisionParams, Quote } from "../../domain/Decision.ts"
import { isToken, type Sold } from "../../domain/SoldAmount.ts"
import { parseTotal } from "../../domain/Total.ts"
import type { ValueItem } from "../../domain/Value.ts"
import { unitsIn } from "../situation/BaseUnits.ts"
import { subjectOf } from "../situation/DecisionId.ts"
import type { Moved, Moves } from "../situation/Moved.ts"
import { symbolOf, type TokenNames } from "../situation/SpokenAmount.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"

/** Stroops that so much of something is worth; null: not known, or nothing. */
export type Worth = (moved: Moved) => bigint | null

/** So much of something, and stroops of lumens that all of it brings. */
interface Proceeds {
  readonly units: bigint
  readonly lumens: bigint
}

/** The one thing that a step sells for lumens, and what they are; null: it sells nothing. */
const saleIn = ({ pays, takes }: Moves): { readonly sold: Moved; readonly lumens: bigint } | null => {
  const [[paid, ...alsoPaid], [sold, ...alsoSold]] = [pays, takes]
  const isSale = paid?.of === native && sold !== undefined && sold.of !== native && alsoPaid.length + alsoSold.length === 0
  return isSale ? { sold, lumens: paid.units } : null
}

/** Lumens are worth themselves, and anything else its share of what its sale brings. */
const worthBy = (sales: ReadonlyMap<Sold, Proceeds>): Worth => ({ of, units }) => {
  if (of === native) return units
  const sold = sales.get(of)
  return sold === undefined ? null : (units * sold.lumens) / sold.units
}

/** Everything is worth what the close sells it for: lumens themselves, and a share of its proceeds what is sold on the way. */
export const worthIn = (transactions: ReadonlyArray<Pick<PlannedTransaction, "groups">>): Worth => {
  const sales = new Map<Sold, Proceeds>()
  for (const { moves, type } of transactions.flatMap(({ groups }) => groups.flatMap(({ steps }) => steps))) {
    const sale = moves === undefined || (type !== "HANDLE_ASSETS" && type !== "HANDLE_TOKENS") ? null : saleIn(moves)
    if (sale === null) continue
    const known = sales.get(sale.sold.of) ?? { units: 0n, lumens: 0n }
    sales.set(sale.sold.of, { units: known.units + sale.sold.units, lumens: known.lumens + sale.lumens })
  }
  return worthBy(sales)
}

/** A decision, and what its options quote. */
interface QuotedPoint {
  readonly id: string
  readonly options: ReadonlyArray<{ readonly params?: Pick<DecisionParams, "amount">; readonly quote?: Pick<Quote, "receive"> }>
}

/** What a decision is about, where that can be sold; null: nothing like it. */
const soldBy = ({ id }: QuotedPoint): Sold | null => {
  const subject = Option.getOrNull(subjectOf(id))
  if (subject?._tag === "asset") return subject.asset
  return subject?._tag === "token" ? subject.contract : null
}

const unitsOf = (of: Sold, amount: string | undefined): bigint => (isToken(of) ? unitsIn(amount) : parseTotal(amount ?? "")) ?? 0n

/** The best sale that the options of a point quote; null where they quote none. */
const bestSale = (sold: Sold, { options }: QuotedPoint): Proceeds | null =>
  options.reduce<Proceeds | null>((best, { params, quote }) => {
    const units = unitsOf(sold, params?.amount)
    return quote === undefined || units <= 0n || quote.receive <= (best?.lumens ?? 0n) ? best : { units, lumens: quote.receive }
  }, null)

/** Everything is worth what the best sale brings that an option of a plan quotes, at its average price. */
export const quotedWorth = (points: ReadonlyArray<QuotedPoint>): Worth =>
  worthBy(
    new Map(points.flatMap((point) => {
      const sold = soldBy(point)
      if (sold === null) return []
      const sale = bestSale(sold, point)
      return sale === null ? [] : [[sold, sale] as const]
    }))
  )

const shownLumens = (lumens: bigint | null): ValueItem["lumens"] => (lumens === null || lumens > largestAmount ? null : stroops(lumens))

/** The most that one list of values names. */
const mostValues = 20

const dearest = Order.mapInput(Order.reverse(Order.bigint), ({ lumens }: ValueItem) => lumens ?? -1n)

/** Values with what they are worth where they do not tell it themselves: the dearest twenty. */
export const valued = (items: ReadonlyArray<ValueItem>, worth: Worth): ReadonlyArray<ValueItem> =>
  items.map((item) => {
    const of = item.asset ?? item.token
    return item.lumens !== null || of === undefined || of === native
      ? item
      : { ...item, lumens: shownLumens(worth({ of, units: unitsOf(of, item.amount) })) }
  }).toSorted(dearest).slice(0, mostValues)

/** Amounts as the wire tells them. */
export const valueItems = (moved: ReadonlyArray<Moved>, names: TokenNames, worth: Worth): ReadonlyArray<ValueItem> =>
  moved.map((one) => {
    const { of, units } = one
    return {
      ...(isToken(of) ? { token: of } : { asset: of }),
      symbol: symbolOf(of, names),
      amount: isToken(of) ? units.toString() : showAmount(units),
      lumens: shownLumens(worth(one))
    }
  })
