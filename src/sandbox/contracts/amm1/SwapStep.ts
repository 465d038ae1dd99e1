import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { u128Max, u256Max } from "../../../ledger/soroban/Values.ts"
import { lessOrNone, mulDiv, mulDivUp } from "./Products.ts"
import { amount0Between, amount1Between } from "./RangeAmounts.ts"
import { q96 } from "./SqrtPrice.ts"
import type { Direction } from "./TickMaps.ts"

const feeParts = 10_000n

const capped = (amount: bigint): bigint => (amount > u128Max ? u128Max : amount)

/** To which price an amount of the first token takes so much liquidity: rounded up. */
const priceBelow = (host: ContractHost, price: bigint, liquidity: bigint, amount: bigint): bigint => {
  if (amount === 0n) return price
  const scaled = liquidity * q96
  if (amount > u256Max / price) return mulDivUp(scaled, 1n, scaled / price + amount)
  const sum = scaled + amount * price
  return sum > u256Max ? host.trap() : mulDivUp(scaled, price, sum)
}

/** A part of a swap between two ticks: where it starts and would end, and what is left to be sold. */
export interface SwapLimits {
  readonly price: bigint
  readonly target: bigint
  readonly liquidity: bigint
  readonly left: bigint
  /** Ten thousandths. */
  readonly fee: number
  readonly direction: Direction
}

/** What a part of a swap comes to: the price after it, what goes in beside its fee, what goes out. */
export interface Step {
  readonly price: bigint
  readonly sold: bigint
  readonly bought: bigint
  readonly fee: bigint
}

/** A swap as far as the next tick, or as far as what is left reaches. Where there is no liquidity the price slides. */
export const swapStep = (host: ContractHost, { direction, fee: parts, left, liquidity, price, target }: SwapLimits): Step => {
  if (liquidity === 0n) return { price: target, sold: 0n, bought: 0n, fee: 0n }
  const fee = BigInt(parts)
  const free = mulDiv(left, feeParts - fee, feeParts)
  const isDown = direction === "down"
  const soldTo = (end: bigint): bigint => (isDown ? amount0Between : amount1Between)(end, price, liquidity, "up")
  const boughtTo = (end: bigint): bigint => (isDown ? amount1Between : amount0Between)(end, price, liquidity, "down")
  const whole = soldTo(target)
  const reached = (): bigint => {
    const next = isDown ? priceBelow(host, price, liquidity, free) : price + mulDiv(free, q96, liquidity)
    return (isDown ? next < target : next > target) ? target : next
  }
  const end = whole <= u128Max && free >= whole ? target : reached()
  const sold = capped(soldTo(end))
  return {
    price: end,
    sold,
    bought: capped(boughtTo(end)),
    fee: end === target ? mulDivUp(sold, fee, feeParts - fee) : lessOrNone(left, sold)
  }
}
