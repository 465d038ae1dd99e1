import { type Stroops, stroops } from "../../domain/Amount.ts"
import { parseTotal } from "../../domain/Total.ts"

/**
 * What a part of an amount must bring where all of it was agreed to bring `minReceive`: the same price, rounded up. The floor itself
 * where it does not say for how much it was made, or where no less is sold.
 */
export const floorShare = (minReceive: Stroops, whole: string | undefined, part: bigint): Stroops => {
  const amount = whole === undefined ? null : parseTotal(whole)
  return amount === null || amount <= part ? minReceive : stroops((minReceive * part + amount - 1n) / amount)
}
