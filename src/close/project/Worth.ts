import { largestAmount, showAmount, stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import { isToken, type Sold } from "../../domain/SoldAmount.ts"
import type { ValueItem } from "../../domain/Value.ts"
import type { Moved, Moves } from "../situation/Moved.ts"
import { symbolOf, type TokenNames } from "../situation/SpokenAmount.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"

/** Stroops that so much of something is worth; null: not known, or nothing. */
export type Worth = (moved: Moved) => bigint | null

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

/** Everything is worth what the close sells it for: lumens themselves, and a share of its proceeds what is sold on the way. */
export const worthIn = (transactions: ReadonlyArray<Pick<PlannedTransaction, "groups">>): Worth => {
  const sales = new Map<Sold, Proceeds>()
  for (const { moves, type } of transactions.flatMap(({ groups }) => groups.flatMap(({ steps }) => steps))) {
    const sale = moves === undefined || (type !== "HANDLE_ASSETS" && type !== "HANDLE_TOKENS") ? null : saleIn(moves)
    if (sale === null) continue
    const known = sales.get(sale.sold.of) ?? { units: 0n, lumens: 0n }
    sales.set(sale.sold.of, { units: known.units + sale.sold.units, lumens: known.lumens + sale.lumens })
  }
  return ({ of, units }) => {
    if (of === native) return units
    const sold = sales.get(of)
    return sold === undefined ? null : (units * sold.lumens) / sold.units
  }
}

/** Amounts as the wire tells them. */
export const valueItems = (moved: ReadonlyArray<Moved>, names: TokenNames, worth: Worth): ReadonlyArray<ValueItem> =>
  moved.map((one) => {
    const { of, units } = one
    const lumens = worth(one)
    return {
      ...(isToken(of) ? { token: of } : { asset: of }),
      symbol: symbolOf(of, names),
      amount: isToken(of) ? units.toString() : showAmount(units),
      lumens: lumens === null || lumens > largestAmount ? null : stroops(lumens)
    }
  })
