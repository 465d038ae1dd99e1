import * as xdr from "@stellar/stellar-sdk/xdr"
import { stroops } from "../domain/Amount.ts"
import { toMuxed } from "../stellar/Names.ts"
import { xdrHex } from "../xdr/XdrBytes.ts"
import { breach } from "./Around.ts"
import type { OperationDefinition, OperationOf } from "./OperationDefinition.ts"

/**
 * Whether minima are those of shares so few that their pool pays nothing of one asset. The reserves of a pool, multiplied, are never less than
 * the square of its shares: shares that are worth less than one unit of an asset are worth more than their square of the other. Half of that
 * is the least here, because slippage is at most half.
 */
const areOfFewShares = ({ minAmountA, minAmountB, shares }: OperationOf<"liquidity_pool_withdraw">): boolean => {
  const larger = minAmountA > minAmountB ? minAmountA : minAmountB
  return larger > 0n && larger >= (shares * shares) / 2n
}

/** LIQUIDITY_POOL_WITHDRAW: shares back into their two assets, each with a floor. */
export const LiquidityPoolWithdraw: OperationDefinition<"liquidity_pool_withdraw"> = {
  type: "liquidity_pool_withdraw",
  level: "med",
  build: ({ source, poolId, shares, minAmountA, minAmountB }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.liquidityPoolWithdraw(
        new xdr.LiquidityPoolWithdrawOp({
          liquidityPoolId: xdr.PoolId.fromXdr(poolId, "hex"),
          amount: shares,
          minAmountA,
          minAmountB
        })
      )
    }),
  decode: (body, source) => {
    if (body.type !== "liquidityPoolWithdraw") return null
    const { amount, liquidityPoolId, minAmountA, minAmountB } = body.liquidityPoolWithdrawOp
    if (amount <= 0n || minAmountA < 0n || minAmountB < 0n) return null
    return {
      type: "liquidity_pool_withdraw",
      source,
      poolId: xdrHex(liquidityPoolId),
      shares: stroops(amount),
      minAmountA: stroops(minAmountA),
      minAmountB: stroops(minAmountB)
    }
  },
  // Both assets come back to the account.
  admits: (withdrawal) => {
    const { minAmountA, minAmountB, poolId } = withdrawal
    const isEnough = (minAmountA > 0n && minAmountB > 0n) || areOfFewShares(withdrawal)
    return isEnough ? [] : breach("sale_floor", `Withdraws from the pool ${poolId} without a minimum for each of its assets.`)
  }
}
