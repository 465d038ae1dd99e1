import { Option } from "effect"
import { largestAmount, stroops } from "../../domain/Amount.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import { parseTotal } from "../../domain/Total.ts"
import type { ValueItem } from "../../domain/Value.ts"
import { unitsIn } from "../situation/BaseUnits.ts"
import { subjectOf } from "../situation/DecisionId.ts"

/** So many units of an asset or token, and stroops of lumens that all of them would bring. */
interface Sale {
  readonly units: bigint
  readonly receive: bigint
}

/** The most that one list of values names. */
const mostValues = 20

/** What the options of a plan quote. */
export interface QuotedPrices {
  /** Values with what they would bring at the average price of the best sale that an option quotes: the dearest twenty. */
  readonly valued: (items: ReadonlyArray<ValueItem>) => ReadonlyArray<ValueItem>
}

/** The asset or token that a decision is about. */
const soldBy = ({ id }: DecisionPoint): string | null => {
  const subject = Option.getOrNull(subjectOf(id))
  if (subject?._tag === "asset") return subject.asset
  return subject?._tag === "token" ? subject.contract : null
}

const unitsOf = (isToken: boolean, text: string | undefined): bigint => (isToken ? unitsIn(text) : parseTotal(text ?? "")) ?? 0n

/** The best sale that the options of a point quote; null where they quote none. */
const bestSale = ({ options, type }: DecisionPoint): Sale | null =>
  options.reduce<Sale | null>((best, { params, quote }) => {
    const units = unitsOf(type === "token", params?.amount)
    return quote === undefined || units <= 0n || quote.receive <= (best?.receive ?? 0n) ? best : { units, receive: quote.receive }
  }, null)

const pricedBy = (sales: ReadonlyMap<string, Sale>) => (item: ValueItem): ValueItem => {
  const sale = item.lumens === null ? sales.get(item.asset ?? item.token ?? "") : undefined
  if (sale === undefined) return item
  const worth = (sale.receive * unitsOf(item.token !== undefined, item.amount)) / sale.units
  return { ...item, lumens: worth > largestAmount ? null : stroops(worth) }
}

const dearest = (a: ValueItem, b: ValueItem): number =>
  Number((b.lumens ?? -1n) > (a.lumens ?? -1n)) - Number((a.lumens ?? -1n) > (b.lumens ?? -1n))

/** The prices that the points of a plan quote. */
export const quotedPrices = (points: ReadonlyArray<DecisionPoint>): QuotedPrices => {
  const sales = new Map(points.flatMap((point) => {
    const [sold, sale] = [soldBy(point), bestSale(point)]
    return sold === null || sale === null ? [] : [[sold, sale] as const]
  }))
  const priced = pricedBy(sales)
  return { valued: (items) => items.map(priced).toSorted(dearest).slice(0, mostValues) }
}
