import { BigInt as Big } from "effect"
import { native } from "../../domain/Asset.ts"
import type { FeePayer } from "../../domain/Plan.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { count } from "./Packing.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"
import type { Projection } from "./Projection.ts"

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
  const most = Big.max(bid.perOperation * operations, Big.min(mostPerOperation * operations, bid.spendable))
  return Big.max(most - counted, 0n)
}

/** Less of an asset arrives and is sold at the agreed price: what is lost against the quote, stroops. */
const saleAtRisk = ({ quoted, operations }: AtomicGroup, lacking: Map<string, bigint>): bigint => {
  const sale = operations.find((operation) => operation.type === "path_payment_strict_send")
  if (sale === undefined || sale.sendAmount === 0n) return quoted.receive - quoted.floor
  const lacks = Big.min(lacking.get(sale.sendAsset) ?? 0n, sale.sendAmount)
  lacking.delete(sale.sendAsset)
  return quoted.receive - (quoted.floor * (sale.sendAmount - lacks)) / sale.sendAmount
}

/**
 * What the destination receives at least, stroops: the projection less whatever fees may take up to the largest bid, every conversion at
 * its agreed floor, and every slippage in full. Zero where the close does not come to its end.
 */
export const minReceived = (
  { received, transactions }: Pick<Projection, "received" | "transactions">,
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
  return Big.max(received - risk, 0n)
}
