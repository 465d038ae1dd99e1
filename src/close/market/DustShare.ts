import type { Decision } from "../../domain/Decision.ts"
import { parseTotal } from "../../domain/Total.ts"
import { floorShare } from "./Floors.ts"
import { isWorthLimits } from "./PriceImpact.ts"

/**
 * Whether a share of an asset is dust: less than a hundredth of all of it, and worth less than a lumen. Anyone can give an account such a
 * share, so it never decides whether and at what price the rest is sold.
 *
 * @param amount units of the share
 * @param total units of all shares
 * @param worth stroops that the share comes to
 */
export const isDustShare = (amount: bigint, total: bigint, worth: bigint): boolean => amount * 100n < total && !isWorthLimits(worth)

/** Whether so many units are dust of what an answer sells: at the agreed price, or where it accepts any price, by their amount alone. */
export const isDustByAnswer = ({ choice, params }: Decision, amount: bigint): boolean => {
  const total = parseTotal(params?.amount ?? "")
  if ((choice !== "convert_to_native" && choice !== "convert_through_contracts") || total === null) return false
  return isDustShare(amount, total, params?.minReceive === undefined ? 0n : floorShare(params.minReceive, params.amount, amount))
}
