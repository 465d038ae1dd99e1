import { BigInt as Big } from "effect"
import type { Sold } from "../../domain/SoldAmount.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import type { Credits } from "../situation/CallSimulation.ts"
import type { TokenAssets } from "../situation/TokenAssets.ts"

/** Basis points by which any call may pay less than foreseen and is handed over anyway (`CallEffects.ts`). */
const toleratedBps = 100

/** What a call pays of each thing: as simulated or expected, or what it declares where that is more. Base units. */
const paidBy = ({ payouts }: Pick<ContractCall, "payouts">, credits: Credits, assets: TokenAssets): ReadonlyMap<Sold, bigint> => {
  const paid = new Map<Sold, bigint>()
  for (const { expected, token } of payouts) {
    const of = assets.get(token) ?? token
    paid.set(of, (paid.get(of) ?? 0n) + expected)
  }
  for (const [asset, amount] of credits) paid.set(asset, Big.max(paid.get(asset) ?? 0n, amount))
  return paid
}

/**
 * What a call may pay less than foreseen on the ledger, base units of each thing: a hundredth, or the slippage of its own minimums where that is
 * more, and a unit.
 *
 * @param slippageBps with which the call was made
 */
export const payoutLack = (
  call: Pick<ContractCall, "payouts">,
  credits: Credits,
  assets: TokenAssets,
  slippageBps: number
): ReadonlyMap<Sold, bigint> => {
  const bps = BigInt(Math.max(slippageBps, toleratedBps))
  return new Map(
    [...paidBy(call, credits, assets)].flatMap(([of, amount]) => (amount > 0n ? [[of, (amount * bps) / 10_000n + 1n] as const] : []))
  )
}
