import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asU32, u128 } from "../../../ledger/soroban/Values.ts"
import { readPosition, readSlot, readUser, writeUser } from "./ConcentratedStore.ts"
import { amountAt, stored } from "./Instance.ts"
import { ConcentratedError } from "./PoolError.ts"
import { concentratedKeys } from "./PoolKeys.ts"
import { lessOrNone } from "./Products.ts"
import type { Range } from "./RangeAmounts.ts"
import type { Holder } from "./WorkingShares.ts"

/** Whole weight, in parts. */
const whole = 10_000n
/** Ticks off the price at which nothing counts, for each part of the pool's fee. */
const reachPerFee = 50

/** How much of liquidity counts for rewards: less the further its range is from the price, nothing beyond the pool's reach. */
const weightOf = ({ lower, upper }: Range, current: number, fee: number): bigint => {
  const above = Math.max(current - upper, 1)
  const beside = current < lower ? lower - current : above
  const isWithin = current >= lower && current < upper
  if (isWithin) return whole
  const reach = fee * reachPerFee
  if (beside >= reach) return 0n
  const left = BigInt(reach - beside)
  return (whole * left * left) / BigInt(reach * reach)
}

/** Notes what of an owner's liquidity counts for rewards at the price of now. */
export const reweigh = (host: ContractHost, owner: xdr.ScAddress): void => {
  const { tick } = readSlot(host)
  const fee = stored(host, concentratedKeys.fee, asU32)
  const state = readUser(host, owner)
  const weighted = state.ranges.reduce((sum, range) => {
    const liquidity = readPosition(host, owner, range)?.liquidity ?? 0n
    return sum + (liquidity * weightOf(range, tick, fee)) / whole
  }, 0n)
  const total = amountAt(host, concentratedKeys.weightedLiquidity)
  writeUser(host, owner, { ...state, weighted })
  host.instance.set(concentratedKeys.weightedLiquidity, u128(lessOrNone(total + weighted, state.weighted)))
}

/** Notes by how much the liquidity of an owner has changed. */
export const changeRaw = (host: ContractHost, owner: xdr.ScAddress, change: bigint): void => {
  const state = readUser(host, owner)
  const total = amountAt(host, concentratedKeys.rawLiquidity)
  if (state.raw + change < 0n || total + change < 0n) host.fail(ConcentratedError.underflow)
  host.instance.set(concentratedKeys.rawLiquidity, u128(total + change))
  writeUser(host, owner, { ...state, raw: state.raw + change })
}

/** An owner whose weighted liquidity counts, as it was noted last. */
export const weightedHolder = (host: ContractHost, owner: xdr.ScAddress): Holder => ({
  user: owner,
  shares: readUser(host, owner).weighted,
  totalShares: amountAt(host, concentratedKeys.weightedLiquidity)
})
