import { showAmount } from "../domain/Amount.ts"
import { isSale } from "../domain/ChoiceEffect.ts"
import { amountIn } from "../domain/DecisionAmount.ts"
import { type Around, type Breach, breach } from "./Around.ts"
import { lumensIn } from "./Decided.ts"
import type { SentParams } from "./Expected.ts"
import { partOfFloor } from "./FloorPart.ts"

/** Something sold for lumens. */
export interface Sale {
  /** Ids of the decisions that may ask for it. */
  readonly ids: ReadonlyArray<string>
  /** Base units that are sold. */
  readonly amount: bigint
  /** The same with all other sales of it in the transaction. */
  readonly total: bigint
  /** Stroops that it brings at least, or nothing happens. */
  readonly least: bigint
}

/** What the caller says of a sale: in a decision, by a number of its own, or both. */
interface Terms {
  readonly id: string
  readonly params: SentParams
  readonly own: bigint | null
}

/** What is said of a sale by each of its ids; null where nothing is, or where one says something else than to sell. */
const termsOf = ({ ids }: Sale, { decided, expected }: Pick<Around, "decided" | "expected">): ReadonlyArray<Terms> | null => {
  const named = [...new Set(ids)].filter((id) => decided.to(id) !== undefined || Object.hasOwn(expected.floors, id))
  const isOther = (id: string): boolean => {
    const decision = decided.to(id)
    return decision !== undefined && !isSale(decision.choice)
  }
  if (named.length === 0 || named.some(isOther)) return null
  return named.map((id) => ({ id, params: decided.to(id)?.params ?? {}, own: expected.floors[id] ?? null }))
}

/**
 * What a sale must bring by its decision. Of more than `minReceive` was made for it must bring more, at that price less a hundredth: else all
 * that the account has could be sold for what was agreed for a part of it.
 */
const agreedFloor = (agreed: bigint, whole: bigint | null, amount: bigint): bigint => {
  const least = partOfFloor(agreed, whole, amount)
  if (whole === null || amount <= whole) return least
  const grown = (agreed * amount * 99n) / (whole * 100n)
  return grown > least ? grown : least
}

const floorBreaches = ({ amount, least }: Sale, { id, own, params }: Terms): ReadonlyArray<Breach> => {
  const whole = amountIn(id, params.amount)
  // What was made for nothing says nothing.
  const agreed = whole === 0n ? null : lumensIn(params.minReceive)
  // A decision that accepts any price impact says nothing of a price: then the caller's own number must.
  if (agreed === null && own === null) {
    return breach("sale_floor", `Nothing says what the sale of ${id} must bring: add minReceive or a floor.`)
  }
  const share = agreed === null ? 1n : agreedFloor(agreed, whole, amount)
  const floor = [own ?? 1n, 1n].reduce((most, one) => (one > most ? one : most), share)
  return least < floor ? breach("sale_floor", `Sells for at least ${showAmount(least)} lumens, and ${showAmount(floor)} were agreed.`) : []
}

const mostBreaches = ({ total }: Sale, { id, params: { maxAmount } }: Terms): ReadonlyArray<Breach> => {
  if (maxAmount === undefined) return []
  const most = amountIn(id, maxAmount)
  return most !== null && total <= most ? [] : breach("amount", `Sells more of ${id} than was decided.`)
}

/** Why a sale is not one that its caller decided, at the price that was agreed. */
export const saleBreaches = (sale: Sale, around: Pick<Around, "decided" | "expected">): ReadonlyArray<Breach> => {
  const terms = termsOf(sale, around)
  return terms === null
    ? breach("not_decided", `Sells what no decision sells (${sale.ids.join(" or ")}).`)
    : terms.flatMap((one) => [...floorBreaches(sale, one), ...mostBreaches(sale, one)])
}
