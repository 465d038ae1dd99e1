import { native } from "../../domain/Asset.ts"
import type { FeePayer } from "../../domain/Plan.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { count } from "./Packing.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"
import type { Projected } from "./Projection.ts"

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * Stroops that fees may take beyond what a projection reckons with. Ledgers that are full charge up to the whole bid, and a later build
 * bids more when fees surge: never above the setting, never more than the account can pay. What a merge through the mediator pays is
 * reckoned after its whole bid already.
 */
const feeAtRisk = (
  { applied, bid, isContract, reason, groups }: PlannedTransaction,
  mostPerOperation: bigint,
  feePayer: FeePayer
): bigint => {
  if (feePayer === "fee_bump" && reason !== "mediator") return 0n
  const operations = BigInt(Math.max(1, count(groups)))
  const counted = reason === "mediator" || isContract ? bid.perOperation * operations : applied.feeCharged
  const most = larger(bid.perOperation * operations, smaller(mostPerOperation * operations, bid.spendable))
  return larger(most - counted, 0n)
}

/** Less of an asset arrives and is sold at the agreed price: what is lost against the quote, stroops. */
const saleAtRisk = ({ quoted, operations }: AtomicGroup, lacking: Map<string, bigint>): bigint => {
  const sale = operations.find((operation) => operation.type === "path_payment_strict_send")
  if (sale === undefined || sale.sendAmount === 0n) return quoted.receive - quoted.floor
  const lacks = smaller(lacking.get(sale.sendAsset) ?? 0n, sale.sendAmount)
  lacking.delete(sale.sendAsset)
  return quoted.receive - (quoted.floor * (sale.sendAmount - lacks)) / sale.sendAmount
}

/**
 * What the destination receives at least, stroops: the projection less whatever fees may take up to the largest bid, every conversion at
 * its agreed floor, and every slippage in full. Zero where the close does not come to its end.
 */
export const leastReceived = (
  { received, transactions }: Pick<Projected, "received" | "transactions">,
  mostPerOperation: bigint,
  feePayer: FeePayer
): bigint => {
  const lacking = new Map<string, bigint>()
  let risk = 0n
  for (const planned of transactions) {
    risk += feeAtRisk(planned, mostPerOperation, feePayer)
    for (const group of planned.groups) {
      risk += saleAtRisk(group, lacking)
      for (const [asset, amount] of group.mayLack) {
        if (asset === native) risk += amount
        else lacking.set(asset, (lacking.get(asset) ?? 0n) + amount)
      }
    }
  }
  return larger(received - risk, 0n)
}
