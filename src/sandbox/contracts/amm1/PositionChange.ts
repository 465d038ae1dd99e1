import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { u128 } from "../../../ledger/soroban/Values.ts"
import { readSlot } from "./ConcentratedStore.ts"
import { amountAt } from "./Instance.ts"
import { PoolError } from "./PoolError.ts"
import { concentratedKeys } from "./PoolKeys.ts"
import { less } from "./Products.ts"
import type { Amounts, Range } from "./RangeAmounts.ts"
import { isFullRange } from "./Ranges.ts"
import { noteShares } from "./SharePool.ts"
import { changeTick } from "./TickLiquidity.ts"
import { changeRaw, reweigh, weightedHolder } from "./WeightedLiquidity.ts"

/** Notes at both ends of a range that its liquidity changes. */
export const changeTicks = (host: ContractHost, { lower, upper }: Range, change: bigint): void => {
  changeTick(host, lower, change, "lower")
  changeTick(host, upper, change, "upper")
}

const changed = (held: bigint, change: bigint): bigint => (change < 0n ? less(held, -change) : held + change)

/** Notes what of a change of a range's liquidity is at work at the price, and what goes over the full range. */
export const changeWorking = (host: ContractHost, range: Range, change: bigint): void => {
  const { tick } = readSlot(host)
  if (tick >= range.lower && tick < range.upper) {
    host.instance.set(concentratedKeys.liquidity, u128(changed(amountAt(host, concentratedKeys.liquidity), change)))
  }
  if (!isFullRange(host, range)) return
  const key = concentratedKeys.fullRangeLiquidity
  host.instance.set(key, u128(changed(amountAt(host, key), change)))
}

/** Notes by how much an owner's liquidity has changed, and what of it counts for rewards now. */
export const changeOwned = (host: ContractHost, owner: xdr.ScAddress, change: bigint): void => {
  changeRaw(host, owner, change)
  reweigh(host, owner)
  noteShares(host, weightedHolder(host, owner))
}

/** What a pool keeps after paying out; it must hold that much. */
export const afterPaying = (host: ContractHost, held: Amounts, paid: Amounts): Amounts => {
  if (held[0] < paid[0] || held[1] < paid[1]) host.fail(PoolError.insufficientBalance)
  return [held[0] - paid[0], held[1] - paid[1]]
}
