import { BigInt as Big } from "effect"
import { native } from "../../domain/Asset.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { feesAtRisk } from "./FeesAtRisk.ts"
import type { Projection } from "./Projection.ts"

/** The least that a sale brings as it is taken to be bounded, stroops. */
type FloorOf = (group: AtomicGroup) => bigint

/** What was agreed: a later build may sell for as little. */
const agreedFloor: FloorOf = ({ quoted }) => quoted.floor

/** What the transaction itself insists on. */
const writtenFloor: FloorOf = ({ operations, quoted }) => {
  const sale = operations.find((operation) => operation.type === "path_payment_strict_send")
  return sale === undefined ? quoted.floor : Big.max(sale.destMin, quoted.floor)
}

/** Less of an asset arrives and is sold at the same price: what is lost against the quote, stroops. */
const saleAtRisk = (group: AtomicGroup, floor: bigint, lacking: Map<string, bigint>): bigint => {
  const { operations, quoted } = group
  const sale = operations.find((operation) => operation.type === "path_payment_strict_send")
  if (sale === undefined || sale.sendAmount === 0n) return quoted.receive - floor
  const lacks = Big.min(lacking.get(sale.sendAsset) ?? 0n, sale.sendAmount)
  lacking.delete(sale.sendAsset)
  return quoted.receive - (floor * (sale.sendAmount - lacks)) / sale.sendAmount
}

/** Stroops that sales at their floors, and payouts within their slippage, may bring less than projected. */
const proceedsAtRisk = ({ transactions }: Pick<Projection, "transactions">, floorOf: FloorOf): bigint => {
  const lacking = new Map<string, bigint>()
  let risk = 0n
  for (const group of transactions.flatMap(({ groups }) => groups)) {
    risk += saleAtRisk(group, floorOf(group), lacking)
    for (const [asset, amount] of group.mayLack) {
      if (asset === native) risk += amount
      else lacking.set(asset, (lacking.get(asset) ?? 0n) + amount)
    }
  }
  return risk
}

type Played = Pick<Projection, "received" | "transactions">
type Terms = Parameters<typeof feesAtRisk>[0]

/**
 * The least that the destination receives, stroops. It takes off the largest fee of each transaction and of one failed attempt at it, counts
 * every conversion at its agreed floor, and takes every slippage in full. Zero where the close does not reach its end.
 */
export const minReceived = (terms: Terms, { received, transactions }: Played): bigint => {
  const fees = transactions.reduce((sum, planned) => sum + feesAtRisk(terms, planned, 2n, ({ floor }) => floor), 0n)
  return Big.max(received - fees - proceedsAtRisk({ transactions }, agreedFloor), 0n)
}

/** What the rest of a close brings, stroops, after the largest fees of what is still to come. */
export interface LumensAhead {
  /** At the quotes of now, slippage not taken off. */
  readonly current: bigint
  /** At the floors that are written, with every slippage in full. */
  readonly guaranteed: bigint
}

/** Attempts that are kept fees for: one of the next transaction, so that a failed one does not count again, and two of each later one. */
const attemptsAt = (at: number): bigint => (at === 0 ? 1n : 2n)

/** What the rest of a close brings, for an amount that was accepted. */
export const lumensAhead = (terms: Terms, { received, transactions }: Played): LumensAhead => {
  const less = (proceeds: "receive" | "floor") =>
    received - transactions.reduce((sum, planned, at) => sum + feesAtRisk(terms, planned, attemptsAt(at), (quoted) => quoted[proceeds]), 0n)
  return { current: less("receive"), guaranteed: less("floor") - proceedsAtRisk({ transactions }, writtenFloor) }
}
